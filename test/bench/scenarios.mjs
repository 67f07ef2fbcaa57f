import { generate } from './generator.mjs';
import { bodyOf, completedTasks, HEADERS, saying, tickedTask } from './requests.mjs';

const COMPLETED = 'TASK_STATE_COMPLETED';
const WORKING = 'TASK_STATE_WORKING';
const TASKS = { get: 1_000, list: 10_000, replay: 20 };
const STREAMS = { warmUp: 50, measured: 500 };
const MISSED_EVENTS = 100;

/**
 * @typedef {import('./systems.mjs').Running} Running
 * @typedef {{ rounds: number, seconds: number, warmUpSeconds: number, connections: number }} Settings
 * @typedef {{ name: string, title: string, isPossible?: (system: import('./systems.mjs').System) => boolean,
 *   run: (system: Running, settings: Settings) => Promise<any> }} Scenario
 * @type {readonly Scenario[]}
 */
export const SCENARIOS = [
  {
    name: 'send',
    title: 'SendMessage, blocking',
    run: (system, settings) =>
      load(system, settings, { requests: [{ body: saying('SendMessage') }], expected: { includes: [COMPLETED] } }),
  },
  {
    name: 'stream',
    title: 'SendStreamingMessage, to its end',
    run: (system, settings) => {
      const requests = [{ body: saying('SendStreamingMessage') }];
      return load(system, settings, { requests, expected: { includes: [COMPLETED], frames: 4 } });
    },
  },
  {
    name: 'get',
    title: 'GetTask',
    run: async (system, settings) => {
      const ids = await completedTasks(system.echo, { count: TASKS.get, atOnce: settings.connections });
      const requests = ids.map((id) => ({ body: bodyOf('GetTask', { id }) }));
      return load(system, settings, { requests, expected: { includes: [COMPLETED] } });
    },
  },
  {
    name: 'list',
    title: `ListTasks, 50 of ${TASKS.list}`,
    run: async (system, settings) => {
      await completedTasks(system.echo, { count: TASKS.list, atOnce: settings.connections });
      const requests = [{ body: bodyOf('ListTasks', { pageSize: 50, historyLength: 0 }) }];
      return load(system, settings, { requests, expected: { includes: [COMPLETED, `"totalSize":${TASKS.list}`] } });
    },
  },
  {
    name: 'replay',
    title: `replay of ${MISSED_EVENTS} missed events`,
    isPossible: ({ replays }) => replays,
    run: async (system, settings) => {
      const tasks = [];
      while (tasks.length < TASKS.replay) tasks.push(await tickedTask(system.ticker, MISSED_EVENTS + 1));
      const requests = tasks.map(({ taskId, firstEventId }) => ({
        body: bodyOf('SubscribeToTask', { id: taskId }),
        headers: { 'Last-Event-ID': firstEventId },
      }));
      const expected = { includes: [COMPLETED], frames: MISSED_EVENTS + 1 };
      return load({ ...system, echo: system.ticker }, settings, { requests, expected });
    },
  },
  {
    name: 'memory',
    title: `memory of ${STREAMS.measured} open streams`,
    run: async ({ waiter, pids, serving }) => {
      const body = saying('SendStreamingMessage', waiter.parts);
      const job = { kind: 'open-streams', url: waiter.url, headers: HEADERS, body, until: WORKING, pids };
      const { rssKb } = await generate({ ...job, warmUp: STREAMS.warmUp, streams: STREAMS.measured });
      return { rssKb, servingKb: rssKb[serving] };
    },
  },
];

/**
 * @param {Running} system
 * @param {Settings} settings
 * @param {Pick<import('./generator/load.mjs').LoadJob, 'requests' | 'expected'>} what
 */
function load({ echo, pids }, { connections, seconds, warmUpSeconds }, what) {
  return generate({ kind: 'load', url: echo, headers: HEADERS, pids, connections, seconds, warmUpSeconds, ...what });
}
