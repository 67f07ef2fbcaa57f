import { call, stream, userMessage } from '../../deploy/local/a2a.mjs';

export const HEADERS = { 'content-type': 'application/json', 'A2A-Version': '1.0' };

const PAGE = 100;
const PARTS = [{ text: 'Hello from the benchmark' }];

/**
 * @param {string} method
 * @param {object} params
 */
export function bodyOf(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/**
 * The body of a request that says something new each time it is sent.
 * @param {string} method
 */
export function saying(method, parts = PARTS) {
  return bodyOf(method, { message: { messageId: '<id>', role: 'ROLE_USER', parts } });
}

/**
 * The ids of the newest tasks.
 * @param {string} url
 * @param {number} count
 */
export async function newestTaskIds(url, count) {
  const ids = [];
  let pageToken;
  do {
    const page = await call(url, 'ListTasks', { pageSize: PAGE, historyLength: 0, ...(pageToken && { pageToken }) });
    ids.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken && ids.length < count);
  return ids.slice(0, count);
}

/**
 * Lets the agent `ticker` finish a task of a given number of events, and gives its id and that of its first event.
 * @param {string} url
 * @param {number} events
 */
export async function tickedTask(url, events) {
  const params = { message: userMessage([{ data: { chunks: events - 3, everyMs: 0 } }]) };
  const seen = [];
  for await (const event of stream(url, { method: 'SendStreamingMessage', params })) seen.push(event);
  if (seen.length !== events) throw new Error(`a task has ${seen.length} events instead of ${events}`);
  return { taskId: seen[0].result.task.id, firstEventId: seen[0].id };
}
