import { setTimeout as sleep } from 'node:timers/promises';
import { stream, userMessage } from './a2a.mjs';

const SEEN_BEFORE_DROP = 4;
const AWAY_MS = 500;
const TICKS = { chunks: 10, everyMs: 100 };

/**
 * Drops the connection to a running task and comes back for what was missed. Throws if a single event is missing, comes
 * twice or out of order.
 * @param {string} baseUrl
 * @param {(line: string) => void} print
 */
export async function showReplay(baseUrl, print) {
  const agent = `${baseUrl}/agents/ticker`;
  print(`REPLAY: a task that delivers ${TICKS.chunks} chunks, one every ${TICKS.everyMs} ms`);

  const before = await firstEvents(agent);
  const cursor = before.at(-1);
  print(`  received   ${listed(before)}`);
  print(`  dropped    the connection after ${cursor.id}, for ${AWAY_MS} ms`);
  await sleep(AWAY_MS);

  const [asItWas, ...after] = await eventsSince(agent, { taskId: taskIdOf(before[0]), cursor: cursor.id });
  expectCursor(asItWas, cursor.id);
  print(`  resumed    with Last-Event-ID ${cursor.id}: first the task as it was then`);
  print(`  received   ${listed(after)}`);

  expectGapless([...before, ...after]);
  expectCompleted(after.at(-1));
  print(`  verified   ${before.length + after.length} events in order, none missing, none twice`);
}

/** @param {string} agent */
async function firstEvents(agent) {
  const params = { message: userMessage([{ data: TICKS }]) };
  const connection = new AbortController();
  const events = [];
  for await (const event of stream(agent, { method: 'SendStreamingMessage', params, signal: connection.signal })) {
    events.push(event);
    if (events.length === SEEN_BEFORE_DROP) break;
  }
  connection.abort();
  if (events.length < SEEN_BEFORE_DROP) throw new Error(`the stream ended after ${events.length} events`);
  return events;
}

/**
 * @param {string} agent
 * @param {{ taskId: string, cursor: string }} from
 */
async function eventsSince(agent, { taskId, cursor }) {
  const events = [];
  const request = { method: 'SubscribeToTask', params: { id: taskId }, lastEventId: cursor };
  for await (const event of stream(agent, request)) events.push(event);
  return events;
}

/** @param {{ result: any }} event */
function taskIdOf({ result }) {
  if (!result.task?.id) throw new Error(`the first event of a stream is not the task: ${JSON.stringify(result)}`);
  return result.task.id;
}

/**
 * @param {{ id: string, result: any } | undefined} event
 * @param {string} cursor
 */
function expectCursor(event, cursor) {
  if (!event?.result.task) throw new Error('what is resumed does not begin with the task');
  if (event.id !== cursor) throw new Error(`what is resumed begins at ${event.id}, not at ${cursor}`);
}

/** @param {readonly { id: string }[]} events */
function expectGapless(events) {
  events.slice(1).forEach(({ id }, index) => {
    const previous = events[index].id;
    if (versionOf(id) !== versionOf(previous) + 1) throw new Error(`event ${id} came after ${previous}`);
  });
}

/** @param {{ id: string, result: any } | undefined} event */
function expectCompleted(event) {
  const state = event?.result.statusUpdate?.status.state;
  if (state !== 'TASK_STATE_COMPLETED')
    throw new Error(`the stream ended at ${event?.id} with ${state ?? 'no final state'}`);
}

/**
 * An event's id is `<version>-<sequence>`; versions count 1, 2, 3 ... within a task.
 * @param {string} id
 */
function versionOf(id) {
  return Number(id.split('-')[0]);
}

/** @param {readonly { id: string }[]} events */
function listed(events) {
  return events.map(({ id }) => id).join(' ');
}
