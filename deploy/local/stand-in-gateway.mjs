import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const EVENTS = 14;
const EVERY_MS = 30;

/**
 * Speaks just enough A2A to show that the launcher's conversation and replay notice what they must: no engine, no log.
 * @param {{ port?: number, firstState?: string, skipped?: number }} [faults] `skipped` is an event that a resume loses
 */
export async function startStandIn({ port = 0, firstState = 'TASK_STATE_INPUT_REQUIRED', skipped } = {}) {
  const tasks = new Map();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { baseUrl: `http://127.0.0.1:${actual}`, close: () => end(server) };

  async function answer(request, response) {
    if (request.url === '/readyz') return sendJson(response, { status: 'ok' });
    if (request.method === 'GET') return sendJson(response, { name: 'Trip planner', version: '1', skills: [] });
    const { method, params } = JSON.parse(await bodyOf(request));
    if (request.url === '/agents/ticker') return sendEvents(response, { cursor: cursorOf(request), skipped });
    const result = method === 'GetTask' ? tasks.get(params.id) : { task: newTask(params.message) };
    sendJson(response, { jsonrpc: '2.0', result });
  }

  function newTask({ contextId, referenceTaskIds }) {
    const task = referenceTaskIds ? plan(contextId) : question(firstState);
    tasks.set(task.id, task);
    return task;
  }
}

function end(server) {
  server.close();
  server.closeAllConnections();
}

function cursorOf({ headers }) {
  return Number(headers['last-event-id']?.split('-')[0] ?? 0);
}

async function sendEvents(response, { cursor, skipped }) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const first = cursor || 1;
  for (let version = first; version <= EVENTS && !response.destroyed; version++) {
    if (cursor && version === skipped) continue;
    const data = JSON.stringify({ result: version === first ? taskAt(version) : updateAt(version) });
    response.write(`: keep-alive\n\nid: ${version}-${version + 100}\ndata: ${data}\n\n`);
    await sleep(EVERY_MS);
  }
  response.end();
}

function question(state) {
  const message = { parts: [{ text: 'What is the budget?' }] };
  return { id: 'task-1', contextId: 'context-1', status: { state, message } };
}

function plan(contextId) {
  const artifacts = [{ name: 'trip-plan', parts: [{ text: 'By ' }, { text: 'train' }] }];
  return { id: 'task-2', contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
}

function taskAt(version) {
  return { task: { id: 'task-3', status: statusAt(version) } };
}

function updateAt(version) {
  return { statusUpdate: { taskId: 'task-3', status: statusAt(version) } };
}

function statusAt(version) {
  return { state: version === EVENTS ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING' };
}

async function bodyOf(request) {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  return body;
}

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
