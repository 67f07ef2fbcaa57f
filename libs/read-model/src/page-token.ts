import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { PageTokenError, type TaskFilter, type TaskQuery, type TaskSummary } from './task-index';

const HASH_LENGTH = 22;

/** Where a page ends: the next one begins below it, whatever has moved meanwhile. */
export type PageEnd = { readonly statusAtMs: number; readonly taskId: string };

export const endOf = ({ status, taskId }: TaskSummary): PageEnd => ({ statusAtMs: Date.parse(status.at), taskId });

/** Opaque to clients: the end of the page, and a hash that binds it to the query. */
export const encodePageToken = (filter: TaskFilter, { statusAtMs, taskId }: PageEnd): string =>
  Buffer.from(`${hashOf(filter)}.${statusAtMs}.${taskId}`).toString('base64url');

/**
 * Where the page that a query asks for begins; undefined for the first.
 * @throws PageTokenError
 */
export function decodePageToken(query: TaskQuery): PageEnd | undefined {
  if (query.pageToken === undefined || query.pageToken === '') return undefined;
  const [hash, statusAtMs, taskId, ...rest] = Buffer.from(query.pageToken, 'base64url').toString().split('.');
  const end = { statusAtMs: Number(statusAtMs), taskId: taskId ?? '' };
  const isWellFormed = Number.isSafeInteger(end.statusAtMs) && end.taskId !== '' && rest.length === 0;
  if (!isWellFormed || hash !== hashOf(query)) throw new PageTokenError();
  return end;
}

/** Milliseconds of a lower bound; a finer one is rounded up, since statuses have whole milliseconds. */
export function lowerBoundMs(timestamp: string): number {
  const finer = /\.\d{3}(\d*[1-9])/.test(timestamp);
  return Date.parse(timestamp) + (finer ? 1 : 0);
}

function hashOf({ tenant, agent, owner, contextId, state, statusTimestampAfter }: TaskFilter): string {
  const filter = { tenant, agent, owner, contextId, state, statusTimestampAfter };
  return createHash('sha256')
    .update(canonicalize(filter) ?? '')
    .digest('base64url')
    .slice(0, HASH_LENGTH);
}
