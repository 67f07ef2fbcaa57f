import { generate } from './generator.mjs';
import { bodyOf, HEADERS, newestTaskIds, saying, tickedTask } from './requests.mjs';

const COMPLETED = 'TASK_STATE_COMPLETED';
const WORKING = 'TASK_STATE_WORKING';
const FRAMES = 4;
const ASKED_FOR = 1_000;
const MISSED = { events: 100, tasks: 20 };
const STREAMS = { warmUp: 50, measured: 500 };

/**
 * @typedef {import('./systems.mjs').Running} Running
 * @typedef {{ rounds: number, seconds: number, warmUpSeconds: number, connections: number, tasks: number }} Settings
 * @typedef {{ name: string, title: string, isPossible?: (system: import('./systems.mjs').System) => boolean,
 *   needsFreshSystem?: boolean, run: (system: Running, settings: Settings) => Promise<any> }} Scenario
 */

/**
 * In the order in which they are run: what reads comes first, while there are exactly the tasks that were prepared.
 * @type {readonly Scenario[]}
 */
export const SCENARIOS = [
  {
    name: 'list',
    title: 'ListTasks, a page of 50',
    run: (system, settings) => {
      const requests = [{ body: bodyOf('ListTasks', { pageSize: 50, historyLength: 0 }) }];
      const expected = { includes: [COMPLETED, `"totalSize":${settings.tasks}`] };
      return load(system, settings, { requests, expected });
    },
  },
  {
    name: 'get',
    title: 'GetTask',
    run: async (system, settings) => {
      const ids = await newestTaskIds(system.echo, ASKED_FOR);
      const requests = ids.map((id) => ({ body: bodyOf('GetTask', { id }) }));
      return load(system, settings, { requests, expected: { includes: [COMPLETED] } });
    },
  },
  {
    name: 'send',
    title: 'SendMessage, blocking',
    run: (system, settings) => load(system, settings, sending()),
  },
  {
    name: 'stream',
    title: 'SendStreamingMessage, to its end',
    run: (system, settings) => {
      const requests = [{ body: saying('SendStreamingMessage') }];
      return load(system, settings, { requests, expected: { includes: [COMPLETED], frames: FRAMES } });
    },
  },
  {
    name: 'replay',
    title: `replay of ${MISSED.events} missed events`,
    isPossible: ({ replays }) => replays,
    run: async (system, settings) => {
      const requests = [];
      while (requests.length < MISSED.tasks) requests.push(await resumption(system.ticker));
      const expected = { includes: [COMPLETED], frames: MISSED.events + 1 };
      return load({ ...system, echo: system.ticker }, settings, { requests, expected });
    },
  },
  {
    name: 'memory',
    title: `memory of ${STREAMS.measured} open streams`,
    needsFreshSystem: true,
    run: async ({ waiter, pids, serving }) => {
      const body = saying('SendStreamingMessage', waiter.parts);
      const job = { kind: 'open-streams', url: waiter.url, headers: HEADERS, body, until: WORKING, pids };
      const { rssKb } = await generate({ ...job, warmUp: STREAMS.warmUp, streams: STREAMS.measured });
      return { rssKb, servingKb: rssKb[serving] };
    },
  },
];

/**
 * Gives a system its tasks, the same number of them to each, which also warms all of its processes up alike.
 * @param {Running} system
 * @param {Settings} settings
 */
export function prepare({ echo }, { connections, tasks }) {
  return generate({ kind: 'fill', url: echo, headers: HEADERS, connections, amount: tasks, ...sending() });
}

const sending = () => ({ requests: [{ body: saying('SendMessage') }], expected: { includes: [COMPLETED] } });

/**
 * The request of a client that has seen the first event of a task and nothing since.
 * @param {string} url
 */
async function resumption(url) {
  const { taskId, firstEventId } = await tickedTask(url, MISSED.events + 1);
  return { body: bodyOf('SubscribeToTask', { id: taskId }), headers: { 'Last-Event-ID': firstEventId } };
}

/**
 * @param {Running} system
 * @param {Settings} settings
 * @param {Pick<import('./generator/load.mjs').LoadJob, 'requests' | 'expected'>} what
 */
function load({ echo, pids }, { connections, seconds, warmUpSeconds }, what) {
  return generate({ kind: 'load', url: echo, headers: HEADERS, pids, connections, seconds, warmUpSeconds, ...what });
}
