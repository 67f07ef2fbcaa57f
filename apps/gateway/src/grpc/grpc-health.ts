import { type ServerUnaryCall, type ServerWritableStream, status, type sendUnaryData } from '@grpc/grpc-js';
import { Readiness } from '@tidemark/platform';
import { service } from 'grpc-health-check';
import { setTimeout as delay } from 'node:timers/promises';
import type { GrpcService } from './grpc-method';
import { tolerant } from './malformed';
import { presenceOf } from './presence';
import { withAbsoluteNames } from './schema/absolute-names';

const NAME = 'grpc.health.v1.Health';
/** How often a watcher is told of a change. */
const WATCH_MS = 1_000;

type Asked = { readonly service: string };
type Status = { readonly status: 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN' };
type Statuses = { readonly statuses: Readonly<Record<string, Status>> };

export type HealthParts = {
  readonly readiness: Readiness;
  /** Names of the services that are as ready as the app; "" is the server. */
  readonly services: readonly string[];
  /** Aborts when the server stops. */
  readonly shutdown: AbortSignal;
};

/** `grpc.health.v1`: each service is ready while the app is, by the same checks as `/readyz`. */
export class GrpcHealth {
  readonly #services: ReadonlySet<string>;

  constructor(private readonly parts: HealthParts) {
    this.#services = new Set(['', NAME, ...parts.services]);
  }

  toService(): GrpcService {
    return {
      name: NAME,
      definition: tolerant(service),
      implementation: {
        check: (call: ServerUnaryCall<Asked, Status>, reply: sendUnaryData<Status>) => void this.#check(call, reply),
        list: (_call: ServerUnaryCall<unknown, Statuses>, reply: sendUnaryData<Statuses>) => void this.#list(reply),
        watch: (call: ServerWritableStream<Asked, Status>) => void this.#watch(call),
      },
      files: FILES,
    };
  }

  async #check({ request }: ServerUnaryCall<Asked, Status>, reply: sendUnaryData<Status>): Promise<void> {
    const now = await this.#statusOf(request.service);
    if (now.status !== 'SERVICE_UNKNOWN') return reply(null, now);
    reply({ code: status.NOT_FOUND, details: `There is no service ${request.service.slice(0, 256)} here` });
  }

  async #list(reply: sendUnaryData<Statuses>): Promise<void> {
    const now = await this.#statusOf('');
    reply(null, { statuses: Object.fromEntries([...this.#services].map((name) => [name, now])) });
  }

  /** Says how the service is now, and then each time that it changes. */
  async #watch(call: ServerWritableStream<Asked, Status>): Promise<void> {
    const { gone, end } = presenceOf(call, this.parts.shutdown);
    try {
      let last: string | undefined;
      while (!gone.aborted) {
        const now = await this.#statusOf(call.request.service);
        if (now.status !== last) call.write(now);
        last = now.status;
        await delay(WATCH_MS, undefined, { signal: gone }).catch(() => undefined);
      }
      if (!call.cancelled && last !== 'NOT_SERVING') call.write({ status: 'NOT_SERVING' });
      call.end();
    } finally {
      end();
    }
  }

  async #statusOf(name: string): Promise<Status> {
    if (!this.#services.has(name)) return { status: 'SERVICE_UNKNOWN' };
    if (this.parts.shutdown.aborted) return { status: 'NOT_SERVING' };
    const failures = await this.parts.readiness.failures();
    return { status: Object.keys(failures).length === 0 ? 'SERVING' : 'NOT_SERVING' };
  }
}

type Described = { readonly fileDescriptorProtos?: readonly Uint8Array[] };

/** All of its methods are of one file. */
const FILES = ((service['Check']?.requestType as Described | undefined)?.fileDescriptorProtos ?? []).map(
  withAbsoluteNames,
);
