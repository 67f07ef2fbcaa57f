import { call, stream, userMessage } from '../../deploy/local/a2a.mjs';

export const HEADERS = { 'content-type': 'application/json', 'A2A-Version': '1.0' };

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
 * Makes tasks that are completed, and gives their ids.
 * @param {string} url
 * @param {{ count: number, atOnce: number }} wanted
 */
export async function completedTasks(url, { count, atOnce }) {
  const ids = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const { task } = await call(url, 'SendMessage', { message: userMessage(PARTS) });
      if (task.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`a task is ${task.status.state}`);
      ids.push(task.id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ids;
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
