import { formatPosition } from '@tidemark/domain';
import type { Parked, Redelivered, Webhook } from './actions';

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** As people read it, or as a program does. */
export function parkedLine({ ref, cursor }: Parked, isJson: boolean): string {
  const { at, attempts, reason, origin } = cursor.parked;
  const position = formatPosition(cursor.position);
  const { tenant, agent, taskId, configId } = ref;
  const found = { tenant, agent, taskId, configId, position, parkedAt: timeOf(at), attempts, reason, origin };
  if (isJson) return JSON.stringify(found);
  return `${taskId} ${configId} (${tenant}, ${agent}): ${reason}, ${attempts} times at ${origin}; stands at ${position} since ${timeOf(at)}`;
}

export function webhookLine({ config, position: after, cursor }: Webhook, isJson: boolean): string {
  const { configId, dialect, createdAt } = config;
  const position = formatPosition(after);
  const found = { configId, url: shownUrl(config.url), dialect, createdAt, position, ...stateOf(cursor) };
  return isJson ? JSON.stringify(found) : `${configId} ${found.url}: told up to ${position}, ${described(found)}`;
}

/** What has come of asking for redelivery. */
export function redeliveredLine({ wasHeld, after, left }: Redelivered): string {
  const position = formatPosition(after);
  if (left === 0) return `nothing is left to deliver: it has been told up to ${position}, the end of what is stored`;
  const events = left === 1 ? '1 event' : `${left} events`;
  return `${wasHeld ? 'taken up again' : 'was neither parked nor failing, and goes on'} after ${position}: ${events} to deliver`;
}

type State =
  | { readonly state: 'active' }
  | {
      readonly state: 'failing' | 'parked';
      readonly attempts: number;
      readonly reason: string;
      readonly retryAt?: string;
    };

function stateOf(cursor: Webhook['cursor']): State {
  const { parked, failing } = cursor ?? {};
  if (parked) return { state: 'parked', attempts: parked.attempts, reason: parked.reason };
  if (!failing) return { state: 'active' };
  const { attempts, reason, retryAt } = failing;
  return { state: 'failing', attempts, reason, retryAt: timeOf(retryAt) };
}

function described(found: State): string {
  if (found.state === 'active') return 'active';
  const next = found.retryAt ? `, next at ${found.retryAt}` : '';
  return `${found.state} after ${found.attempts} attempts: ${found.reason}${next}`;
}

/** What is in a query is often a secret. */
function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
