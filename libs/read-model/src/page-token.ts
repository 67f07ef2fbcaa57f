import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { PageTokenError, type TaskFilter, type TaskQuery, type TaskSummary } from './task-index';

const HASH_LENGTH = 22;

/** Where a page ends: the next one begins below it, whatever has moved meanwhile. */
export type PageEnd = { readonly statusAtMs: number; readonly taskId: string };

export const endOf = ({ status, taskId }: TaskSummary): PageEnd => ({ statusAtMs: Date.parse(status.at), taskId });

/** Opaque to clients: the end of the page, and a hash that binds it to the query, caller included. */
export const encodePageToken = (filter: TaskFilter, end: PageEnd): string =>
  Buffer.from(`${hashOf(filter, end)}.${end.statusAtMs}.${end.taskId}`).toString('base64url');

/**
 * Where the page that a query asks for begins; undefined for the first.
 * @throws PageTokenError
 */
export function decodePageToken(query: TaskQuery): PageEnd | undefined {
  if (query.pageToken === undefined || query.pageToken === '') return undefined;
  const [, statusAtMs, taskId] = Buffer.from(query.pageToken, 'base64url').toString().split('.');
  const end = { statusAtMs: Number(statusAtMs), taskId: taskId ?? '' };
  const isWellFormed = Number.isSafeInteger(end.statusAtMs) && end.taskId !== '';
  if (!isWellFormed || query.pageToken !== encodePageToken(query, end)) throw new PageTokenError();
  return end;
}

/** Milliseconds of a lower bound; a finer one is rounded up, since statuses have whole milliseconds. */
export function lowerBoundMs(timestamp: string): number {
  const finer = /\.\d{3}(\d*[1-9])/.test(timestamp);
  return Date.parse(timestamp) + (finer ? 1 : 0);
}

/** No secret is in it: whoever makes a token by hand pages through what is theirs, from wherever they like. */
function hashOf(filter: TaskFilter, { statusAtMs, taskId }: PageEnd): string {
  const { tenant, agent, owner, contextId, state, statusTimestampAfter } = filter;
  const bound = { tenant, agent, owner, contextId, state, statusTimestampAfter, statusAtMs, taskId };
  return createHash('sha256')
    .update(canonicalize(bound) ?? '')
    .digest('base64url')
    .slice(0, HASH_LENGTH);
}
