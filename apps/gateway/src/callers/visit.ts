import { type Dialect, toVersion, VERSION_HEADER, VERSION_QUERY } from '@tidemark/protocol';
import type { FastifyRequest } from 'fastify';
import { oneValue } from '../http/one-value';
import { type Caller, isAnonymous } from './caller';

/** A request as it comes to the door, whatever the binding. */
export type Visit = {
  /** The agent that the path names; undefined where it names none. */
  readonly agent?: string;
  /** A header, or gRPC metadata, by its name in lower case; repeated ones are joined with commas. */
  readonly header: Lookup;
  /** Each line of a header by itself, for what must be there once. */
  readonly lines: (name: string) => readonly string[];
  /** A parameter of the query; gRPC has none. @throws InvalidParamsError where there are several of it */
  readonly query: Lookup;
  /** Where it comes from, as far as anyone can tell; limits of those who are not identified go by it. */
  readonly address?: string;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** What a request says in its own words about what it wants: after it was read, before it is looked at closely. */
export type Wanted = { readonly dialect: Dialect; readonly tenant?: unknown };

type Lookup = (name: string) => string | undefined;

export function visitOf(request: FastifyRequest, gone: AbortSignal, agent?: string): Visit {
  return {
    ...(agent !== undefined && { agent }),
    header: (name) => joined(request.headers[name]),
    lines: (name) => request.raw.headersDistinct[name] ?? [],
    query: (name) => oneValue(request.query, name),
    address: request.ip,
    gone,
  };
}

/**
 * Which version a request asks for, whatever it is written in; undefined where it does not say, or says none of ours.
 * @throws InvalidParamsError where its query says several
 */
export const askedVersion = ({ header, query }: Pick<Visit, 'header' | 'query'>): Dialect | undefined =>
  toVersion(header(VERSION_HEADER) || query(VERSION_QUERY));

export const addressOf = ({ address = 'unknown' }: Visit): string => address;

/** Who counts as one where there are limits: a principal, or an address where nobody is identified. */
export function sourceOf(caller: Caller, visit: Visit): string {
  if (isAnonymous(caller)) return `address ${addressOf(visit)}`;
  return `principal ${caller.tenant} ${caller.principal}`;
}

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(',') : value;
