import { call, userMessage } from './a2a.mjs';

const FIRST_WORDS = '帮我规划下周从北京到上海的差旅';
const FOLLOW_UP_WORDS = '预算上限 8000 元';

/**
 * Plans a trip with the default agent: the first task asks for a budget, a second one in the same context delivers the
 * plan. Prints what came back, and throws if it is not what A2A and this agent promise.
 * @param {string} baseUrl
 * @param {(line: string) => void} print
 */
export async function holdConversation(baseUrl, print) {
  const show = (title, value) => print(`${title}\n${JSON.stringify(value)}`);
  const rpc = `${baseUrl}/`;

  show('DISCOVERED_AGENT_CARD', await discover(baseUrl));

  const first = await send(rpc, userMessage([{ text: FIRST_WORDS }]));
  show('FIRST_RESPONSE', { ...identityOf(first), statusMessage: textOf(first.status.message?.parts) });
  expectState('the first task', first, 'TASK_STATE_INPUT_REQUIRED');

  const link = { contextId: first.contextId, referenceTaskIds: [first.id] };
  const followUp = await send(rpc, userMessage([{ text: FOLLOW_UP_WORDS }], link));
  show('FINAL_RESPONSE', { ...identityOf(followUp), artifacts: artifactsOf(followUp) });
  expectDelivered(first, followUp);

  const [firstNow, followUpNow] = await Promise.all([first, followUp].map(({ id }) => call(rpc, 'GetTask', { id })));
  show('GET_TASK', {
    firstTaskState: firstNow.status.state,
    followUpTaskId: followUpNow.id,
    followUpState: followUpNow.status.state,
    artifactCount: artifactsOf(followUpNow).length,
  });
  expectState('the first task, asked for again,', firstNow, 'TASK_STATE_INPUT_REQUIRED');
  expectDelivered(first, followUpNow);
}

/** @param {string} baseUrl */
async function discover(baseUrl) {
  const response = await fetch(`${baseUrl}/.well-known/agent-card.json`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`the agent card answered ${response.status}`);
  const { name, version, skills } = await response.json();
  return { name, version, skills };
}

/**
 * @param {string} rpc
 * @param {object} message
 */
async function send(rpc, message) {
  const { task } = await call(rpc, 'SendMessage', { message });
  if (!task) throw new Error('SendMessage answered without a task');
  return task;
}

/** @param {any} task */
function identityOf({ id, contextId, status }) {
  return { taskId: id, contextId, state: status.state };
}

/**
 * @param {any} task
 * @returns {{ name: string, text: string }[]}
 */
function artifactsOf({ artifacts = [] }) {
  return artifacts.map(({ name, parts }) => ({ name, text: textOf(parts) }));
}

/** @param {readonly { text?: string }[]} parts */
function textOf(parts = []) {
  return parts.map(({ text }) => text ?? '').join('');
}

/**
 * @param {any} first
 * @param {any} followUp
 */
function expectDelivered(first, followUp) {
  expectState('the follow-up task', followUp, 'TASK_STATE_COMPLETED');
  const names = artifactsOf(followUp).map(({ name }) => name);
  if (followUp.id === first.id) throw new Error('the follow-up did not become a task of its own');
  if (followUp.contextId !== first.contextId) throw new Error('the follow-up task is not in the context of the first');
  if (names.join() !== 'trip-plan')
    throw new Error(`the follow-up task has the artifacts [${names}], not one trip-plan`);
}

/**
 * @param {string} what
 * @param {any} task
 * @param {string} expected
 */
function expectState(what, { id, status }, expected) {
  if (status.state !== expected) throw new Error(`${what} (${id}) is ${status.state}, not ${expected}`);
}
