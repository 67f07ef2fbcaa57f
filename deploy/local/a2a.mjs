import { randomUUID } from 'node:crypto';
import { serverSentEvents } from './sse.mjs';

const LIMIT_MS = 60_000;
const HEADERS = { 'content-type': 'application/json', 'A2A-Version': '1.0' };

/**
 * One call of a JSON-RPC method, and its result.
 * @param {string} url
 * @param {string} method
 * @param {object} params
 */
export async function call(url, method, params) {
  const response = await post(url, { method, params, signal: AbortSignal.timeout(LIMIT_MS) });
  return resultOf(method, await jsonOf(response));
}

/**
 * One call whose results arrive one by one, each with the id of its event.
 * @param {string} url
 * @param {{ method: string, params: object, lastEventId?: string, signal?: AbortSignal }} request
 * @returns {AsyncGenerator<{ id: string, result: any }>}
 */
export async function* stream(url, { method, params, lastEventId, signal }) {
  const headers = { accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) };
  const limit = AbortSignal.timeout(LIMIT_MS);
  const response = await post(url, {
    method,
    params,
    headers,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    resultOf(method, await jsonOf(response));
    throw new Error(`${method} did not answer with a stream`);
  }
  for await (const { id, data } of serverSentEvents(response.body)) {
    yield { id, result: resultOf(method, JSON.parse(data)) };
  }
}

/**
 * A new message of a user.
 * @param {readonly object[]} parts
 * @param {object} [more]
 */
export function userMessage(parts, more = {}) {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts, ...more };
}

/**
 * @param {string} url
 * @param {{ method: string, params: object, headers?: object, signal: AbortSignal }} request
 */
function post(url, { method, params, headers, signal }) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params });
  return fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body, signal });
}

/** @param {Response} response */
async function jsonOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${response.url} answered ${response.status} without JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/**
 * @param {string} method
 * @param {any} answer
 */
function resultOf(method, answer) {
  if (answer.error) throw new Error(`${method} was refused: ${answer.error.message} (${answer.error.code})`);
  return answer.result;
}
