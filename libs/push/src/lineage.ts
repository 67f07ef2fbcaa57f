import type { Position } from '@tidemark/domain';
import type { DeliveryCursor } from './delivery-cursor';
import type { Lineage, PushConfig } from './push-config';

/** What a config leaves to the one that replaces it. */
export type Succeeded = Pick<PushConfig, 'createdAt' | 'after' | 'lineage'>;

/** A config as the store keeps it over the one that is there, if any: what was deleted is nothing to it. */
export function succeeding({ lineage: _, ...config }: PushConfig, before: Succeeded | undefined): PushConfig {
  if (!before) return config;
  const { first, after } = lineageOf(before);
  return { ...config, lineage: { first, after: earlier(after, config.after) } };
}

/**
 * How far a webhook has been told, by what is stored of that. One that replaced another goes on where that one stood,
 * or where it says itself if that is earlier. One that came after a deletion begins where it says, whether or not the
 * deletion was seen: a cursor of what was deleted is of another lineage.
 */
export function standing(config: PushConfig, stored: DeliveryCursor | undefined): DeliveryCursor {
  if (stored?.config === config.createdAt) return stored;
  const { first, after } = lineageOf(config);
  const isOurs = stored !== undefined && (stored.first ?? stored.config) === first;
  const position = isOurs ? earlier(stored.position, config.after) : after;
  return { config: config.createdAt, ...(first !== config.createdAt && { first }), position };
}

const lineageOf = ({ lineage, createdAt, after }: Succeeded): Lineage => lineage ?? { first: createdAt, after };

const earlier = (one: Position, other: Position): Position => (other.version < one.version ? other : one);
