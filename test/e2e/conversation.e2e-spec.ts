import { Client, collect, rpc, said, taskOf, textsOf, ticks } from './client';
import { System } from './system';

const QUESTION =
  'I can plan a business trip from Beijing to Shanghai and back. What is the budget? For example, 8000 yuan.';
const QUESTION_IN_CHINESE = '我可以规划北京往返上海的差旅。请补充预算上限,例如 8000 元。';

let system: System;
let planner: Client;
let echo: Client;
let ticker: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'projector', 'notifier');
  const { url } = system.app('gateway');
  [planner, echo, ticker] = [new Client(url), new Client(`${url}/agents/echo`), new Client(`${url}/agents/ticker/`)];
});

afterAll(() => system.stop());

describe('the trip conversation', () => {
  it.each([
    { language: 'English', request: 'plan my trip', asked: QUESTION, answer: '8000', planned: '(budget: 8000 yuan)' },
    {
      ...{ language: 'Chinese', request: '帮我规划下周从北京到上海的差旅', asked: QUESTION_IN_CHINESE },
      ...{ answer: '8000', planned: '(预算上限:8000 元)' },
    },
  ])('asks for the budget in $language and plans the trip on the same task', async (words) => {
    const waiting = await planner.send(said(words.request));
    expect(waiting.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: words.asked }] },
    });
    const done = await planner.send(said(words.answer, { taskId: waiting.id }));
    expect(done).toMatchObject({ id: waiting.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(done.artifacts).toHaveLength(1);
    expect(textsOf(done, 'trip-plan')[0]).toContain(words.planned);
  });

  it('plans the trip on a second task that refers to the first, and leaves the first waiting', async () => {
    const first = await planner.send(said('plan my trip'));
    const reference = { contextId: first.contextId, referenceTaskIds: [first.id] };
    const second = await planner.send(said('预算 8000 元', reference));
    expect(second).toMatchObject({ contextId: first.contextId, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(second.id).not.toBe(first.id);
    expect(textsOf(second, 'trip-plan')[0]).toContain('8000');
    expect((await planner.get(first.id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('asks again where nothing names a waiting task', async () => {
    const done = await planner.send(said('8000', { referenceTaskIds: ['00000000-0000-7000-8000-000000000000'] }));
    expect(done.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('keeps every message in its history, the current status message apart', async () => {
    const waiting = await planner.send(said('plan my trip'));
    const { id } = await planner.send(said('8000', { taskId: waiting.id }));
    const { history } = await planner.get(id);
    expect(history?.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ['ROLE_USER', { text: 'plan my trip' }],
      ['ROLE_AGENT', { text: QUESTION }],
      ['ROLE_USER', { text: '8000' }],
      ['ROLE_AGENT', { text: 'Planning the trip' }],
    ]);
  });
});

describe('agents', () => {
  it('echo gives back the parts as they were', async () => {
    const parts = [
      { text: 'a', metadata: { x: [1, null] } },
      { data: null },
      { raw: 'AAEC', mediaType: 'a/b', filename: 'f' },
    ];
    const done = await echo.send(said('', { parts }));
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.artifacts).toEqual([{ artifactId: 'echo', name: 'echo', parts }]);
  });

  it('ticker streams chunks, each an append, that assemble into one artifact', async () => {
    const events = await collect(ticker.stream(ticks(3, 0)));
    const chunks = events.flatMap(({ result }) => ('artifactUpdate' in result ? [result.artifactUpdate] : []));
    expect(chunks.map(({ append, lastChunk, artifact }) => [artifact.parts, append, lastChunk])).toEqual([
      [[{ text: 'tick 1' }], true, undefined],
      [[{ text: 'tick 2' }], true, undefined],
      [[{ text: 'tick 3' }], true, true],
    ]);
    expect(textsOf(await ticker.get(taskOf(events).id), 'ticks')).toEqual(['tick 1', 'tick 2', 'tick 3']);
  });

  it.each([
    [{ chunks: -1 }, 'chunks'],
    [{ chunks: 100_001 }, 'chunks'],
    [{ chunks: 'many' }, 'chunks'],
    [{ everyMs: 0.5 }, 'everyMs'],
  ])('ticker rejects %j and says which field is wrong', async (data, field) => {
    const done = await ticker.send(said('', { parts: [{ data }] }));
    expect(done.status.state).toBe('TASK_STATE_REJECTED');
    expect(JSON.stringify(done.status.message)).toContain(field);
  });

  it('are found only through their own endpoint', async () => {
    const { id } = await echo.send(said('hi'));
    expect((await ticker.call('GetTask', { id })).error?.code).toBe(-32001);
    expect((await echo.list({})).tasks.map((task) => task.id)).toContain(id);
    expect((await ticker.list({})).tasks.map((task) => task.id)).not.toContain(id);
  });
});

describe('sending', () => {
  it('is answered with the HTTP status 200', async () => {
    const reply = await echo.raw(rpc('SendMessage', { message: said('hi') }));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it('answers at once where it is asked to', async () => {
    const task = await ticker.send(ticks(5, 200), { configuration: { returnImmediately: true } });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
  });

  it('streams a task first and its end last', async () => {
    const events = await collect(echo.stream(said('hi')));
    expect(taskOf(events).status.state).toBe('TASK_STATE_SUBMITTED');
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it('ends a stream when the agent asks for input', async () => {
    const events = await collect(planner.stream(said('plan my trip')));
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });

  it('says a message once however often it is sent', async () => {
    const waiting = await planner.send(said('plan my trip'));
    const answer = said('8000', { taskId: waiting.id });
    const [once, twice] = [await planner.send(answer), await planner.send(answer)];
    expect(twice).toEqual(once);
  });
});

describe('cancel', () => {
  it('ends a waiting task at once, and only once', async () => {
    const { id } = await planner.send(said('plan my trip'));
    expect(await planner.ask('CancelTask', { id })).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
    expect((await planner.call('CancelTask', { id })).error?.code).toBe(-32002);
  });

  it('reaches the agent that runs, and every stream sees one end', async () => {
    const stream = ticker.stream(ticks(1_000, 50));
    const { id } = taskOf([(await stream.next()).value as never]);
    const rest = collect(stream);
    expect(await ticker.ask('CancelTask', { id })).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const states = (await rest).flatMap(({ result }) =>
      'statusUpdate' in result ? [result.statusUpdate.status.state] : [],
    );
    expect(states.filter((state) => state === 'TASK_STATE_CANCELED')).toHaveLength(1);
    expect(states.at(-1)).toBe('TASK_STATE_CANCELED');
  });
});

describe('lists', () => {
  it('show what was just written, newest first, page by page', async () => {
    const contextId = 'list-context';
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift((await echo.send(said(`${i}`, { contextId }))).id);
    const pages = [await echo.list({ contextId, pageSize: 3 })];
    while (pages.at(-1)?.nextPageToken) {
      pages.push(await echo.list({ contextId, pageSize: 3, pageToken: pages.at(-1)?.nextPageToken }));
    }
    expect(pages.map(({ tasks }) => tasks.length)).toEqual([3, 3, 1]);
    expect(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id))).toEqual(ids);
    expect(pages.every(({ totalSize }) => totalSize === 7)).toBe(true);
  });

  it('filter by state and time, and show artifacts and history only where asked to', async () => {
    const contextId = 'filter-context';
    const waiting = await planner.send(said('plan my trip', { contextId }));
    const canceled = await planner.send(said('plan my trip', { contextId }));
    await planner.ask('CancelTask', { id: canceled.id });
    const byState = await planner.list({ contextId, status: 'TASK_STATE_INPUT_REQUIRED' });
    expect(byState.tasks.map(({ id }) => id)).toEqual([waiting.id]);
    expect(byState.tasks[0]).not.toHaveProperty('artifacts');
    expect(byState.tasks[0]).not.toHaveProperty('history');
    const since = await planner.list({ contextId, statusTimestampAfter: canceled.status.timestamp });
    expect(since.tasks.map(({ id }) => id)).toEqual([canceled.id]);
    const [whole] = (await planner.list({ contextId, includeArtifacts: true, historyLength: 1, pageSize: 1 })).tasks;
    expect(whole).toMatchObject({ id: canceled.id, artifacts: [] });
    expect(whole?.history).toHaveLength(1);
  });

  it('are empty, with all members, for a context that nobody used', async () => {
    expect(await echo.list({ contextId: 'nobody' })).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
  });
});
