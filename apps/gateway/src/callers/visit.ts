import type { Dialect } from '@tidemark/protocol';
import type { FastifyRequest } from 'fastify';

/** A request as it comes to the door, whatever the binding. */
export type Visit = {
  /** The agent that the path names; undefined where it names none. */
  readonly agent?: string;
  /** A header, or gRPC metadata, by its name in lower case; repeated ones are joined with commas. */
  readonly header: Lookup;
  /** A parameter of the query, the first where there are several; gRPC has none. */
  readonly query: Lookup;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** What a request says in its own words about what it wants: after it was read, before it is looked at closely. */
export type Wanted = { readonly dialect: Dialect; readonly tenant?: unknown };

type Lookup = (name: string) => string | undefined;

export function visitOf(request: FastifyRequest, gone: AbortSignal, agent?: string): Visit {
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>;
  return {
    ...(agent !== undefined && { agent }),
    header: (name) => joined(request.headers[name]),
    query: (name) => first(query[name]),
    gone,
  };
}

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(',') : value;

const first = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value;
