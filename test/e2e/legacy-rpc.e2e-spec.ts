import type { WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { Client, collect, rpc, said, taskOf, ticks, upTo, type Wire } from './client';
import { LegacyClient, type LegacyEvent, ticking, told } from './legacy-client';
import { System } from './system';

/** A2A 0.3 over JSON-RPC, on the wire: one task, two versions. */

let system: System;
let url: string;
const at = (agent: string) => ({
  old: new LegacyClient(`${url}/agents/${agent}`),
  now: new Client(`${url}/agents/${agent}`),
});

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ({ url } = system.app('gateway'));
});

afterAll(() => system.stop());

async function all(events: AsyncGenerator<LegacyEvent>, count = Infinity): Promise<LegacyEvent[]> {
  const seen: LegacyEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length >= count) break;
  }
  return seen;
}

const idOf = (task: Wire): string => String(task['id']);
const finals = (events: readonly LegacyEvent[]) =>
  events.filter(({ result }) => result.kind === 'status-update').map(({ result }) => result['final']);

describe('a message of 0.3', () => {
  const PARTS = [
    { kind: 'text', text: 'hi', metadata: { lang: 'en' } },
    { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } },
    { kind: 'file', file: { uri: 'https://files.test/a', mimeType: 'image/png' } },
    { kind: 'data', data: { a: [1, null] } },
    { kind: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
    { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } },
  ];

  it('makes a task, whose answer is bare and in the words of 0.3', async () => {
    const task = await at('echo').old.ask('message/send', { message: told('hi', { parts: PARTS }) });
    expect(task).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ name: 'echo', parts: PARTS }],
      history: [{ kind: 'message', role: 'user', parts: PARTS }],
    });
  });

  it('is read by a client of 1.0 in the words of 1.0', async () => {
    const { old, now } = at('echo');
    const task = await old.ask('message/send', { message: told('hi', { parts: PARTS }) });
    expect((await now.get(idOf(task))).artifacts?.[0]?.parts).toEqual([
      { text: 'hi', metadata: { lang: 'en' } },
      { raw: 'aGk=', mediaType: 'text/plain', filename: 'hi.txt' },
      { url: 'https://files.test/a', mediaType: 'image/png' },
      { data: { a: [1, null] } },
      { data: [1, 2] },
      { data: null },
    ]);
  });

  it.each([
    ['without a configuration', undefined, 'completed'],
    ['with one that does not say', { historyLength: 1 }, 'completed'],
    ['with blocking', { blocking: true }, 'completed'],
    ['without blocking', { blocking: false }, 'submitted'],
  ])('%s is answered when the task is %s', async (_, configuration, state) => {
    const params = { message: ticking(2, 100), ...(configuration && { configuration }) };
    expect(await at('ticker').old.ask('message/send', params)).toMatchObject({ status: { state } });
  });

  it('goes on with a task that waits, which a client of 1.0 began', async () => {
    const { old, now } = at('trip-planner');
    const { id: taskId, contextId } = await now.send(said('plan my trip'));
    const task = await old.ask('message/send', { message: told('8000', { taskId, contextId }) });
    expect(task).toMatchObject({ id: taskId, status: { state: 'completed' }, artifacts: [{ name: 'trip-plan' }] });
  });
});

describe('a stream of 0.3', () => {
  it('begins with the task, ends with the one event that is final, and has positions as ids', async () => {
    const events = await all(at('ticker').old.stream('message/stream', { message: ticking(3, 0) }));
    const kinds = events.map(({ result }) => result.kind);
    expect(kinds).toEqual(['task', 'status-update', ...upTo(3).map(() => 'artifact-update'), 'status-update']);
    expect(finals(events)).toEqual([false, true]);
    expect(events.map(({ id }) => Number(id?.split('-')[0]))).toEqual(upTo(6));
    expect(events[2]?.result).toMatchObject({ append: true, lastChunk: false });
  });

  it('is final where the task waits for its user', async () => {
    const events = await all(at('trip-planner').old.stream('message/stream', { message: told('plan my trip') }));
    expect(finals(events)).toEqual([false, true]);
    expect(events.at(-1)?.result).toMatchObject({ status: { state: 'input-required' } });
  });

  it('is resumed by Last-Event-ID, and by the metadata of the request, exactly', async () => {
    const { old } = at('ticker');
    const whole = await all(old.stream('message/stream', { message: ticking(20, 5) }));
    const id = idOf(whole[0]?.result ?? {});
    const seen = whole[7]?.id ?? '';
    const byHeader = await all(old.stream('tasks/resubscribe', { id }, { 'last-event-id': seen }));
    const metadata = { 'urn:tidemark:replay:v1': { lastEventId: seen } };
    const byMetadata = await all(old.stream('tasks/resubscribe', { id, metadata }));
    expect(byHeader[0]).toMatchObject({ id: seen, result: { kind: 'task' } });
    expect(byHeader.slice(1)).toEqual(whole.slice(8));
    expect(byMetadata).toEqual(byHeader);
  });

  it('of a task of 1.0 is followed from where it is, to its cancel', async () => {
    const { old, now } = at('ticker');
    const { id } = taskOf(await collect(now.stream(ticks(1_000, 20)), 3));
    const events = old.stream('tasks/resubscribe', { id });
    const [first] = await all(events, 1);
    expect(first?.result).toMatchObject({ kind: 'task', id });
    const watching = all(old.stream('tasks/resubscribe', { id }));
    expect(await old.ask('tasks/cancel', { id })).toMatchObject({ status: { state: 'canceled' } });
    const seen = await watching;
    expect(seen.at(-1)?.result).toMatchObject({ status: { state: 'canceled' }, final: true });
    expect((await now.get(id)).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('of a task of 0.3 is followed by a client of 1.0, with the same positions', async () => {
    const { old, now } = at('ticker');
    const seen = await all(old.stream('message/stream', { message: ticking(5, 0) }));
    const id = idOf(seen[0]?.result ?? {});
    const again = await collect(now.subscribe(id, seen[1]?.id));
    expect(again.map((event) => event.id)).toEqual(seen.slice(1).map((event) => event.id));
  });
});

describe('what 0.3 is refused', () => {
  const missing = randomUUID();
  const message = told('hi');

  it.each([
    ['tasks/list', {}, -32601, 'METHOD_NOT_FOUND'],
    ['nonsense/', {}, -32601, 'METHOD_NOT_FOUND'],
    ['tasks/get', { id: missing }, -32001, 'TASK_NOT_FOUND'],
    ['tasks/cancel', { id: missing }, -32001, 'TASK_NOT_FOUND'],
    ['tasks/resubscribe', { id: missing }, -32001, 'TASK_NOT_FOUND'],
    ['message/send', { message: { ...message, taskId: missing } }, -32001, 'TASK_NOT_FOUND'],
    ['message/stream', { message: { ...message, taskId: missing } }, -32001, 'TASK_NOT_FOUND'],
    ['agent/getAuthenticatedExtendedCard', {}, -32007, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
  ])('%s of %j is told with its code', async (...[method, params, code, reason]) => {
    const { error } = await at('echo').old.call(method, params);
    expect(error).toMatchObject({ code, data: { reason } });
  });

  it('is told of what has ended, each with its code', async () => {
    const { old } = at('echo');
    const id = idOf(await old.ask('message/send', { message }));
    expect((await old.call('tasks/cancel', { id })).error).toMatchObject({ code: -32002 });
    expect((await old.call('tasks/resubscribe', { id })).error).toMatchObject({ code: -32004 });
    const more = { message: told('more', { taskId: id }) };
    expect((await old.call('message/send', more)).error).toMatchObject({ code: -32004 });
  });

  it.each([
    ['message/send', {}, 'message'],
    ['message/send', { message: { ...message, parts: [null] } }, 'message.parts[0]'],
    ['message/send', { message: { ...message, parts: [{ kind: 'file', file: 5 }] } }, 'message.parts[0].file'],
    ['message/send', { message: { ...message, extensions: 5 } }, 'message.extensions'],
    ['message/send', { message, metadata: 'x' }, 'metadata'],
    ['message/send', { message, configuration: { blocking: 'false' } }, 'configuration.blocking'],
    ['message/stream', { message: { ...message, role: 'boss' } }, 'message.role'],
    ['message/stream', { message, configuration: 5 }, 'configuration'],
    ['tasks/get', { id: { a: 1 } }, 'id'],
    ['tasks/get', { id: 'x', historyLength: 1.5 }, 'historyLength'],
    ['tasks/cancel', {}, 'id'],
    ['tasks/resubscribe', { id: 5 }, 'id'],
    ['tasks/resubscribe', { id: 'x', metadata: 'x' }, 'metadata'],
    ['tasks/pushNotificationConfig/set', {}, 'taskId'],
    ['tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: [] }, 'pushNotificationConfig'],
    ['tasks/pushNotificationConfig/get', {}, 'id'],
    ['tasks/pushNotificationConfig/list', { id: null }, 'id'],
    ['tasks/pushNotificationConfig/delete', { id: 'x' }, 'pushNotificationConfigId'],
  ])('%s of %j is told which field is wrong', async (method, params, field) => {
    const { error } = await at('echo').old.call(method, params);
    expect(error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(error?.data)).toContain(`"field":"${field}"`);
  });

  it.each([null, [], 5, 'x', [[[]]], { a: 1 }])('params %j never break it', async (params) => {
    for (const method of ['message/send', 'message/stream', 'tasks/get', 'tasks/resubscribe', 'tasks/cancel']) {
      const { error } = await at('echo').old.call(method, params);
      expect([-32600, -32602]).toContain(error?.code);
    }
  });
});

describe('a webhook that may not be called', () => {
  const url03 = 'http://127.0.0.1/x';

  it.each([
    ['message/send', 'configuration.pushNotificationConfig'],
    ['message/stream', 'configuration.pushNotificationConfig'],
    ['tasks/pushNotificationConfig/set', 'pushNotificationConfig'],
  ])('%s names what is wrong in %s', async (method, field) => {
    const { old } = at('echo');
    const taskId = idOf(await old.ask('message/send', { message: told('hi') }));
    const wrong = async (config: object) => {
      const params = method.startsWith('message')
        ? { message: told('hi'), configuration: { pushNotificationConfig: config } }
        : { taskId, pushNotificationConfig: config };
      const { error } = await old.call(method, params);
      return error;
    };
    for (const [config, member] of [
      [{ url: url03 }, 'url'],
      [{ url: 'https://1.1.1.1', id: 'a b' }, 'id'],
      [{ url: 'https://1.1.1.1', authentication: { schemes: ['a b'] } }, 'authentication.schemes[0]'],
    ] as const) {
      const error = await wrong(config);
      expect(error).toMatchObject({ code: -32602, data: { fieldViolations: [{ field: `${field}.${member}` }] } });
      expect(error?.message).toContain(`${field}.${member} `);
    }
  });
});

describe('a request that cannot be carried out', () => {
  const request = (over: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', ...over });
  const OLD = { 'a2a-version': '0.3' };
  const NOW = { 'a2a-version': '1.0' };

  it.each([
    ['{', OLD, '', -32700, true],
    ['{', {}, '?A2A-Version=0.3', -32700, true],
    ['{', {}, '', -32700, false],
    ['{', NOW, '', -32700, false],
    ['{', {}, '?A2A-Version=0.3&A2A-Version=1.0', -32700, false],
    [request({}), {}, '?A2A-Version=0.3&A2A-Version=0.3', -32602, true],
    [request({ method: 'GetTask' }), {}, '?A2A-Version=1.0&A2A-Version=0.3', -32602, false],
    ['[]', OLD, '', -32600, true],
    ['[]', NOW, '', -32600, false],
    [request({ jsonrpc: '1.0' }), {}, '', -32600, true],
    [request({ jsonrpc: '1.0' }), NOW, '', -32600, true],
    [request({ jsonrpc: '1.0', method: 'GetTask' }), OLD, '', -32600, false],
    [request({ id: {} }), {}, '', -32600, true],
    [request({ method: 5 }), OLD, '', -32600, true],
    [request({ params: 5 }), {}, '', -32602, true],
    [request({ params: [] }), NOW, '', -32602, true],
    [`"${'x'.repeat(9_000_000)}"`, OLD, '', -32602, true],
    [`"${'x'.repeat(9_000_000)}"`, NOW, '', -32602, false],
  ])('%# is answered in the words of its version', async (...[body, headers, query, code, isOld]) => {
    const type = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/agents/echo${query}`, { method: 'POST', headers: { ...type, ...headers }, body });
    const { error } = (await reply.json()) as { error: { code: number; data: unknown } };
    expect([error.code, Array.isArray(error.data)]).toEqual([code, !isOld]);
  });
});

describe('the version of a request', () => {
  it.each([
    ['tasks/get', '', -32001],
    ['tasks/get', '0.3', -32001],
    ['tasks/get', '0.3.0', -32001],
    ['tasks/get', '1.0', -32001],
    ['tasks/get', '0.3, 0.3', -32001],
    ['tasks/get', '0.3, 1.0', -32009],
    ['GetTask', '1.0, 1.0', -32001],
    ['GetTask', '1.0, 0.3', -32009],
    ['tasks/get', '0.2', -32009],
    ['tasks/get', 'abc', -32009],
    ['GetTask', '', -32001],
    ['GetTask', '1.0', -32001],
    ['GetTask', '0.3', -32009],
    ['GetTask', '2.0', -32009],
  ])('%s with %j is %d', async (method, version, code) => {
    const { error } = await at('echo').old.call(method, { id: randomUUID() }, { 'a2a-version': version });
    expect(error?.code).toBe(code);
    if (code === -32009) expect(JSON.stringify(error?.data)).toContain('"supportedVersions":"0.3,1.0"');
  });

  it('may be in the query', async () => {
    const client = new LegacyClient(`${url}/agents/echo?A2A-Version=9.9`);
    const { error } = await client.call('tasks/get', { id: 'x' }, { 'a2a-version': '' });
    expect(error?.code).toBe(-32009); // an empty header is one that is not there
  });

  it('is kept to the letter where the deployment says so', async () => {
    const { url: strict } = await system.add('gateway', { STRICT_VERSION: 'true' });
    const client = new LegacyClient(`${strict}/agents/echo`);
    const code = async (method: string, version: string) =>
      (await client.call(method, { id: randomUUID() }, { 'a2a-version': version })).error?.code;
    expect(await code('GetTask', '')).toBe(-32009);
    expect(await code('GetTask', '1.0')).toBe(-32001);
    expect(await code('tasks/get', '')).toBe(-32001);
    expect(await code('tasks/get', '1.0')).toBe(-32009);
  });
});

describe('extensions', () => {
  const URI = 'urn:tidemark:replay:v1';

  it.each(['x-a2a-extensions', 'a2a-extensions'])('asked for in %s are echoed as 0.3 names them', async (name) => {
    const body = rpc('message/send', { message: told('hi') });
    const headers = { 'content-type': 'application/json', [name]: `urn:other, ${URI}` };
    const reply = await fetch(`${url}/agents/echo`, { method: 'POST', headers, body });
    expect(reply.headers.get('x-a2a-extensions')).toBe(URI);
    expect(reply.headers.get('a2a-extensions')).toBeNull();
  });

  it('and content of one version is in the other', async () => {
    const { old, now } = at('echo');
    const sent = await now.send(
      said('', { parts: [{ data: null }, { data: 'x' }, { text: 'y', mediaType: 'text/html' }] }),
    );
    const task = await old.ask<WireTask>('tasks/get', { id: sent.id });
    expect(task.artifacts?.[0]?.parts).toEqual([
      { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } },
      { kind: 'data', data: { value: 'x' }, metadata: { data_part_compat: true } },
      { kind: 'text', text: 'y' },
    ]);
  });
});
