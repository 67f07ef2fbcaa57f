import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { BLOB_STREAM, moveOut } from '@tidemark/blobs';
import { decide, EVENT_TYPES, fold, type Report, type Task, type TaskCommand, type TaskEvent } from '@tidemark/domain';
import {
  authorizeSubject,
  decodeEvent,
  decodeTimer,
  dueSubject,
  enquirySubject,
  enquirySubjects,
  ensureConsumer,
  ensureLog,
  ensureTimers,
  eventSubject,
  execute,
  executorConsumer,
  JetStreamTaskLog,
  liveSubjects,
  notifierConsumer,
  ReplyInbox,
  respondersQueue,
  STREAM,
  taskEventsStream,
  taskSubjects,
  TIMER_STREAM,
  timerConsumer,
  timerStream,
  timerSubject,
} from '@tidemark/event-log';
import {
  configConsumer,
  DeliveryCursors,
  DeliveryQueue,
  kickConsumer,
  kickSubject,
  laterSubject,
  parkedSubject,
  PUSH_QUEUE,
  pushQueueStream,
} from '@tidemark/push';
import {
  type AgentAnswer,
  type EnquiryRequest,
  parseAgentAnswer,
  parseEnquiry,
  type StoredPart,
  toWirePart,
  type WirePart,
} from '@tidemark/protocol';
import {
  CONTEXT_GRAPH,
  ContextGraphClient,
  type ContextGraphReply,
  type ContextGraphRequest,
  SNAPSHOT_BUCKET,
  TASK_LIST,
  TaskListClient,
  type TaskListReply,
  TASKS_IN_FLIGHT,
  TasksInFlightClient,
  type TasksInFlightReply,
  type TasksInFlightRequest,
} from '@tidemark/read-model';
import { aRef, startNats, submit, type TestNats } from '@tidemark/testing';
import { Enquiries } from '../../apps/gateway/src/operations/enquiries';
import { openBuckets } from './buckets';
import { codeIn, headingsIn, jsonIn, onlyCode, readDocument, sectionOf, tableIn } from './markdown';

const document = readDocument('docs/reference/subjects.md');
const section = (heading: string): string => sectionOf(document, heading);
const column = (heading: string, name: string) => tableIn(section(heading)).map((row) => onlyCode(row[name]));
const blocks = (heading: string): unknown[] => jsonIn(section(heading));

const PLACE = { tenant: '<tenant>', agent: '<agent>', taskId: '<taskId>' };
const ACK_WAIT_MS = 30_000;

describe('docs/reference/subjects.md, names and settings', () => {
  it('names the subjects of the code', () => {
    const event = eventSubject(PLACE, '<event>' as TaskEvent['type']);
    const live = event.replace(/^task/, 'live');
    const timers = [timerSubject(PLACE, '<timer>'), dueSubject(PLACE, '<timer>')];
    const asked = [TASK_LIST, CONTEXT_GRAPH, TASKS_IN_FLIGHT, authorizeSubject('<tenant>', '<taskId>')];
    const webhook = { ...PLACE, configId: '<configId>' };
    const pushed = [kickSubject, laterSubject, parkedSubject].map((subjectOf) => subjectOf(webhook));
    const all = [event, live, enquirySubject(PLACE), ...timers, ...asked, ...pushed];
    expect(column('## Subjects', 'Subject')).toEqual(all);
    expect(liveSubjects(PLACE)).toBe(taskSubjects(PLACE).replace(/^task/, 'live'));
  });

  it('says where agents are asked, and who shares the questions', () => {
    const names = [enquirySubject(PLACE), enquirySubjects(PLACE.agent), respondersQueue(PLACE.agent)];
    expect(codeIn(section('## Asking an agent'))).toEqual(expect.arrayContaining(names));
  });

  it('gives the configuration of the log', () => {
    expect(blocks('## The log')).toEqual([taskEventsStream(1)]);
    expect(section('## The log')).toContain(`\`${STREAM}\``);
  });

  it('gives the configuration of the timers, and what they carry', () => {
    expect(blocks('## Timers')).toEqual([timerStream(1)]);
    const values = column('## Timers', 'Value').map((value) => decodeTimer(Buffer.from(value ?? '')).kind);
    expect(values).toEqual(column('## Timers', 'Timer').map((timer) => timer?.split('-')[0]));
  });

  it('gives the configuration of what waits for webhooks', () => {
    const [stream, ...others] = blocks('## Webhooks');
    expect(stream).toEqual(pushQueueStream(1));
    expect(others.slice(0, 2)).toEqual([kickConsumer(ACK_WAIT_MS), configConsumer(ACK_WAIT_MS)]);
  });

  it('gives the configuration of the durable consumers', () => {
    expect(blocks('## Consumers')).toEqual([
      executorConsumer('echo', ACK_WAIT_MS),
      notifierConsumer(ACK_WAIT_MS),
      timerConsumer(ACK_WAIT_MS),
    ]);
  });

  it('gives the filter that every writer sends', () => {
    const filter = tableIn(section('## Headers')).find(({ Header = '' }) => Header.includes('Sequence-Subject'));
    expect(onlyCode(filter?.Value)).toBe(taskSubjects(PLACE));
  });
});

describe('docs/reference/subjects.md, a server that Tidemark has set up', () => {
  let nats: TestNats;
  let nc: NatsConnection;

  beforeAll(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url });
    await ensureLog(nc, 1);
    await ensureTimers(nc, 1);
    await ensureConsumer(nc, executorConsumer('echo', ACK_WAIT_MS));
    await ensureConsumer(nc, notifierConsumer(ACK_WAIT_MS));
    await ensureConsumer(nc, timerConsumer(ACK_WAIT_MS), TIMER_STREAM);
    await openBuckets(nc);
    await DeliveryCursors.open(nc, 1);
    (await DeliveryQueue.open(nc, 1)).close();
  });

  afterAll(async () => {
    await nc.close();
    await nats.stop();
  });

  it('has the streams of this page and no other', async () => {
    const streams: string[] = [];
    for await (const name of (await jetstreamManager(nc)).streams.names()) streams.push(name);
    expect(streams.sort()).toEqual(
      [STREAM, TIMER_STREAM, BLOB_STREAM, PUSH_QUEUE, ...column('## Buckets', 'Stream')].sort(),
    );
  });

  it('keeps the buckets as they are described', async () => {
    expect(column('## Buckets', 'Bucket')).toContain(SNAPSHOT_BUCKET);
    for (const row of tableIn(section('## Buckets'))) {
      const { config } = await (await jetstreamManager(nc)).streams.info(onlyCode(row.Stream) ?? '');
      expect([config.name, String(config.max_msgs_per_subject), config.storage]).toEqual([
        `KV_${onlyCode(row.Bucket)}`,
        row.History,
        row.Storage,
      ]);
    }
  });

  it('keeps large parts in a stream as it is described', async () => {
    const [stream] = blocks('## Large parts') as [{ name: string }];
    const { config } = await (await jetstreamManager(nc)).streams.info(stream.name);
    expect(config).toMatchObject(stream);
    expect(stream.name).toBe(BLOB_STREAM);
  });

  it('republishes an event with the headers of this page', async () => {
    const ref = aRef();
    const live = first(nc, liveSubjects(ref));
    const log = new JetStreamTaskLog(nc, { replicas: 1 });
    await execute(log, ref, submit(ref));
    expect((await live).headers?.keys().sort()).toEqual(column('## Headers', 'Header').sort());
    log.close();
  });

  it('asks an agent, and understands its answers, as they are shown', async () => {
    const [request, ...answers] = blocks('## Asking an agent') as [EnquiryRequest, ...AgentAnswer[]];
    const { principal, trace, timeoutMs = 0, ...said } = request;
    const scope = { tenant: 'acme', agent: 'echo', principal, trace };
    const asked = first(nc, enquirySubject(scope));
    const enquiries = new Enquiries(new ReplyInbox(nc), { timeoutMs, maxPayloadBytes: nc.info?.max_payload ?? 0 });
    const answer = enquiries.ask(scope, said, new AbortController().signal);
    const msg = await asked;
    msg.respond(JSON.stringify(answers[0]));
    expect(parseEnquiry(msg.json())).toEqual(msg.json());
    expect(msg.json()).toEqual(request);
    expect(await answer).toEqual(answers[0]);
    expect(answers.map(parseAgentAnswer)).toEqual(answers);
  });

  it('carries list requests and their answers as they are shown', async () => {
    const [request, answer] = blocks('## Lists of tasks') as [ListRequest, { response: TaskListReply }];
    const asked = first(nc, TASK_LIST);
    const listed = new TaskListClient(nc).list(request.data.query, request.data.atLeast);
    const msg = await asked;
    msg.respond(JSON.stringify(answer));
    expect(msg.json()).toEqual(request);
    expect({ kind: 'page', page: await listed }).toEqual(answer.response);
  });

  it('carries requests for graphs and their answers as they are shown', async () => {
    const shown = blocks('## Graphs of contexts');
    const [request, answer] = shown as [{ data: ContextGraphRequest }, { response: ContextGraphReply }];
    const asked = first(nc, CONTEXT_GRAPH);
    const found = new ContextGraphClient(nc).graph(request.data.scope, request.data.atLeast);
    const msg = await asked;
    msg.respond(JSON.stringify(answer));
    expect(msg.json()).toEqual(request);
    expect({ kind: 'graph', graph: await found }).toEqual(answer.response);
  });

  it('carries requests for what is in flight and their answers as they are shown', async () => {
    const shown = blocks('## Tasks in flight');
    const [request, answer] = shown as [{ data: TasksInFlightRequest }, { response: TasksInFlightReply }];
    const asked = first(nc, TASKS_IN_FLIGHT);
    const counted = new TasksInFlightClient(nc).count(request.data.tenant, request.data.atLeast);
    const msg = await asked;
    msg.respond(JSON.stringify(answer));
    expect(msg.json()).toEqual(request);
    expect(await counted).toEqual(answer.response);
  });
});

describe('docs/reference/subjects.md, events', () => {
  it('lists every type of event, and no other', () => {
    expect(column('## Event types', 'Event')).toEqual(EVENT_TYPES);
    expect(headingsIn(section('## Event types'), 3)).toEqual(EVENT_TYPES);
  });

  it.each(EVENT_TYPES)('shows %s with a subject and an envelope that can be read', (type) => {
    const shown = examplesOf(type);
    expect(shown.length).toBeGreaterThan(0);
    for (const event of shown) expect(event.type).toBe(type);
  });

  it('explains every member of the envelope', () => {
    const common = EVENT_TYPES.flatMap(examplesOf).map((event) => new Set(Object.keys(event)));
    const members = Object.keys(examplesOf('submitted')[0] ?? {});
    const everywhere = members.filter((member) => common.every((keys) => keys.has(member)));
    expect(column('## The envelope', 'Member').sort()).toEqual([...everywhere, 'trace'].sort());
  });

  it.each(EVENT_TYPES)('shows %s as the rules write it after the events before it', (type) => {
    for (const event of examplesOf(type)) {
      const task = before(event);
      expect(decide(task, commandOf(event, task))).toEqual(event);
    }
  });

  it.each(tableIn(section('## Event types')).map((row) => [onlyCode(row.Event), row] as const))(
    'says what %s makes of the state',
    (type, row) => {
      const [event] = examplesOf(type as TaskEvent['type']) as [TaskEvent];
      const [from, to] = [before(event), fold([event], before(event))].map((task) => task?.status.state);
      const said = row['State of the task after it'] ?? '';
      expect(codeIn(said).includes(to ?? '') || (said.includes('unchanged') && to === from)).toBe(true);
    },
  );
});

describe('docs/reference/subjects.md, large parts', () => {
  const [, stored, shown] = blocks('## Large parts') as [object, StoredPart, WirePart & { url: string }];

  it('are shown as the log takes them', () => {
    const raw = Buffer.alloc(2_000).toString('base64');
    const limits = { inlinePartBytes: 1_024, maxPartBytes: 10_000, maxEventBytes: 10_000 };
    const { mediaType, filename } = stored;
    const [moved] = moveOut([{ raw, mediaType, filename }], limits, 10_000).parts as [StoredPart];
    expect(Object.keys(moved).sort()).toEqual(Object.keys(stored).sort());
    expect(Object.keys(moved.stored).sort()).toEqual(Object.keys(stored.stored).sort());
    const [submitted] = examplesOf('submitted') as [Extract<TaskEvent, { type: 'submitted' }>];
    const event = { ...submitted, message: { ...submitted.message, parts: [stored] } };
    expect(decodeEvent(Buffer.from(JSON.stringify(event)))).toEqual(event);
  });

  it('are shown as clients get them', () => {
    const link = ({ sha256 }: StoredPart['stored']) => shown.url.replace(/[^/]+$/, sha256);
    expect(toWirePart(stored, link)).toEqual(shown);
  });
});

type TurnEvent = Extract<TaskEvent, { turn: number }>;
type ListRequest = {
  readonly data: { readonly query: Parameters<TaskListClient['list']>[0]; readonly atLeast: number };
};

const first = (nc: NatsConnection, subject: string): Promise<Msg> =>
  new Promise((resolve) => {
    nc.subscribe(subject, { max: 1, callback: (_, msg) => resolve(msg) });
  });

function examplesOf(type: TaskEvent['type']): TaskEvent[] {
  return blocks(`### ${type}`).map((example) => decodeEvent(Buffer.from(JSON.stringify(example))));
}

/** The task before an example: the common beginning, and what this one needs to come after it. */
function before({ type, version }: TaskEvent): Task | undefined {
  const needed = NEEDED[type] ?? 'cancel-requested';
  const beginning = (['submitted', 'working', 'artifact'] as const).flatMap(examplesOf);
  const events = [...beginning, ...examplesOf(needed)].filter((event) => event.version < version);
  return fold(events.sort((a, b) => a.version - b.version));
}

const NEEDED: Partial<Record<TaskEvent['type'], TaskEvent['type']>> = {
  ...{ message: 'input-required', reminded: 'input-required', 'auth-decided': 'auth-required' },
};

/** The command that causes an event; a turn is started for the newest message. */
function commandOf(event: TaskEvent, task: Task | undefined): TaskCommand {
  const { id, at, actor } = event;
  const wish = { id, at, actor };
  switch (event.type) {
    case 'submitted': {
      const { tenant, agent, taskId, contextId, message } = event;
      return { ...wish, type: 'SubmitTask', ref: { tenant, agent, taskId }, contextId, message };
    }
    case 'message':
      return { ...wish, type: 'AddMessage', message: event.message };
    case 'cancel-requested':
      return { ...wish, type: 'RequestCancel' };
    case 'canceled':
      return { ...wish, type: 'CancelNow' };
    case 'auth-decided':
      return { ...wish, type: 'DecideAuth', decision: event.decision, note: event.note };
    case 'reminded':
      return { ...wish, type: 'Remind', turn: event.turn, count: event.count };
    default:
      return turnCommandOf(event, task?.lastMessage ?? 0);
  }
}

function turnCommandOf(event: TurnEvent, trigger: number): TaskCommand {
  const { id, at, actor, turn } = event;
  const wish = { id, at, actor };
  if (event.type === 'working' && event.trigger !== undefined) {
    return { ...wish, type: 'StartTurn', trigger, maxAttempts: 5 };
  }
  const report = Object.fromEntries(Object.entries(event).filter(([name]) => !NOT_REPORTED.has(name)));
  return { ...wish, type: 'ReportFromTurn', turn, seen: 1, report: report as Report };
}

const NOT_REPORTED: ReadonlySet<string> = new Set(['v', 'id', 'version', 'at', 'actor', 'turn', 'seen']);
