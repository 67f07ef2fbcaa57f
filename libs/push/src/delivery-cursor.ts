import type { Position } from '@tidemark/domain';
import { z } from 'zod';

const count = z.number().int().min(0);
const time = z.number().int();

const lease = z.object({ holder: z.string(), until: time });
const failing = z.object({ attempts: count, since: time, retryAt: time, reason: z.string() });
const parked = z.object({ at: time, attempts: count, reason: z.string(), origin: z.string() });

/** As it is stored. Members may be added, none changed. */
const stored = z.object({
  v: z.literal(1),
  config: z.string(),
  first: z.string().optional(),
  position: z.object({ version: count, sequence: count }),
  lease: lease.optional(),
  failing: failing.optional(),
  parked: parked.optional(),
});

/** Who delivers, until when. Times are milliseconds since 1970. */
export type DeliveryLease = Readonly<z.output<typeof lease>>;

/** The receiver has refused what comes next since then, so often, and is asked again at `retryAt`. */
export type FailingDelivery = Readonly<z.output<typeof failing>>;

/** Given up, until somebody asks for redelivery. `origin` is where to: the rest of a URL may be a secret. */
export type ParkedDelivery = Readonly<z.output<typeof parked>>;

/** How far a webhook has been told. */
export type DeliveryCursor = {
  /** `createdAt` of the config: one that was put again has not failed yet. */
  readonly config: string;
  /** `createdAt` of the first config of its lineage, where that is another one. */
  readonly first?: string;
  /** Of the last event that the receiver has taken. */
  readonly position: Position;
  readonly lease?: DeliveryLease;
  readonly failing?: FailingDelivery;
  readonly parked?: ParkedDelivery;
};

export const encodeCursor = (cursor: DeliveryCursor): string => JSON.stringify({ v: 1, ...cursor });

/** Undefined where the bytes are no cursor. */
export function decodeCursor(data: Uint8Array): DeliveryCursor | undefined {
  try {
    return stored.parse(JSON.parse(Buffer.from(data).toString()));
  } catch {
    return undefined;
  }
}
