import { EVENT_TYPES, type TaskEventType } from '@tidemark/domain';
import { eventSubject, executorConsumerName, liveSubjects, STREAM } from '@tidemark/event-log';
import { ANSWER_EXAMPLES, ENQUIRY_EXAMPLE, EVENT_EXAMPLES, PROFILE_EXAMPLE } from './examples';
import { MEANINGS, READ_ONLY } from './events';

type Fields = Readonly<Record<string, unknown>>;

const PLACE = { tenant: '{tenant}', agent: '{agent}', taskId: '{taskId}' };
const WORK: readonly TaskEventType[] = ['submitted', 'message', 'auth-decided'];
const WRITTEN = EVENT_TYPES.filter((type) => !READ_ONLY.some((read) => read === type));
const BUCKET = 'AGENTS';

const parameters = {
  tenant: { description: 'Whose task it is: 1 to 64 of A-Z a-z 0-9 _ -' },
  agent: { description: 'Who is to do it: 1 to 64 of A-Z a-z 0-9 _ -' },
  taskId: { description: 'The task, a UUID' },
  event: { description: 'Kind of the event', enum: [...EVENT_TYPES] },
};

const schema = (name: string) => ({ $ref: `./schemas/${name}.json` });
const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const pick = (...names: (keyof typeof parameters)[]) =>
  Object.fromEntries(names.map((name) => [name, component('parameters', name)]));
const messagesOf = (...names: string[]) => Object.fromEntries(names.map((name) => [name, component('messages', name)]));
const on = (channel: string, ...names: readonly string[]) => ({
  channel: { $ref: `#/channels/${channel}` },
  messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
});

/** A word that settles a work item, or keeps it. */
const word = (payload: string, summary: string, examples: readonly unknown[] = [payload]) => ({
  ...{ contentType: 'text/plain', summary, payload: { type: 'string', pattern: `^${payload.replace('+', '\\+')}` } },
  examples: examples.map((example) => ({ payload: example })),
});

const ACKS = {
  ack: word('+ACK', 'The turn has settled, or there is nothing to do'),
  inProgress: word('+WPI', 'The turn still runs: another ack_wait'),
  nak: word('-NAK', 'Not now: deliver it again, after the delay if one is given', [
    '-NAK',
    '-NAK {"delay": 500000000}',
  ]),
  term: word('+TERM', 'Never: it is no event, or of no task', ['+TERM not an event']),
};

const eventMessage = (type: TaskEventType) => ({
  name: type,
  title: type,
  summary: MEANINGS[type],
  contentType: 'application/json',
  headers: schema('append-headers'),
  payload: schema(type),
  examples: [{ name: type, payload: EVENT_EXAMPLES[type] }],
});

const json = (name: string, summary: string, examples: readonly unknown[]) => ({
  ...{ name, summary, contentType: 'application/json', payload: schema(name) },
  examples: examples.map((payload) => ({ payload })),
});

const OTHERS = {
  appendReply: json('append-reply', 'Stored, or refused', [
    { stream: STREAM, seq: 1042 },
    { error: { code: 400, err_code: 10071, description: 'wrong last sequence: 1042' }, stream: STREAM, seq: 0 },
  ]),
  pull: json('pull', 'Asks for work', [{ batch: 16, expires: 30_000_000_000, idle_heartbeat: 5_000_000_000 }]),
  directGet: json('direct-get', 'Asks for stored events', [
    { last_by_subj: 'task.acme.trip-planner.01a22cf7-9825-75cf-a376-68ef540e190a.>' },
    { seq: 1, next_by_subj: 'task.acme.trip-planner.01a22cf7-9825-75cf-a376-68ef540e190a.>', batch: 6 },
  ]),
  profile: json('profile', 'What an agent says of itself', [PROFILE_EXAMPLE]),
  enquiry: json('enquiry', 'A message that belongs to no task', [ENQUIRY_EXAMPLE]),
  answer: json('answer', 'A message, a task, or none', Object.values(ANSWER_EXAMPLES)),
};

const channels = {
  taskEvents: {
    address: eventSubject(PLACE, '{event}' as TaskEventType),
    title: 'The log',
    description: `Every event of every task, stored in the stream ${STREAM}.`,
    parameters: pick('tenant', 'agent', 'taskId', 'event'),
    messages: messagesOf(...EVENT_TYPES),
  },
  liveEvents: {
    address: liveSubjects(PLACE).replace('>', '{event}'),
    title: 'The same events, once they are stored',
    description: 'Republished by the broker, at most once: what is missing is read from the log.',
    parameters: pick('tenant', 'agent', 'taskId', 'event'),
    messages: messagesOf(...EVENT_TYPES),
  },
  work: {
    address: `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${executorConsumerName('{agent}')}`,
    title: 'The durable consumer of an agent',
    description: 'Delivers the events that ask for a turn, to one executor at a time, until they are acknowledged.',
    parameters: pick('agent'),
    messages: messagesOf('pull', ...WORK),
  },
  acknowledgements: {
    address: null,
    title: 'Settling a work item',
    description: 'The reply subject of the delivered message, $JS.ACK.>',
    messages: messagesOf(...Object.keys(ACKS)),
  },
  storedEvents: {
    address: `$JS.API.DIRECT.GET.${STREAM}`,
    title: 'Reading the log',
    description: 'Answers with one message, or with `batch` messages and a status of 204; 404 where there is none.',
    messages: messagesOf('directGet', ...EVENT_TYPES),
  },
  announcements: {
    address: `$KV.${BUCKET}.{agent}`,
    title: `The key-value bucket ${BUCKET}`,
    description: 'One key for each agent.',
    parameters: pick('agent'),
    messages: messagesOf('profile'),
  },
  enquiries: {
    address: 'agent.{tenant}.{agent}.respond',
    title: 'Messages that belong to no task',
    description: 'Only for agents whose mode is `message` or `hybrid`. Executors share the queue group of the agent.',
    parameters: pick('tenant', 'agent'),
    messages: messagesOf('enquiry', 'answer'),
  },
  replies: { address: null, title: 'Inbox of a request', messages: messagesOf('appendReply', ...EVENT_TYPES) },
};

const operations = {
  announce: { action: 'send', summary: 'Announces an agent (R1)', ...on('announcements', 'profile') },
  askForWork: {
    ...{ action: 'send', summary: 'Pulls work items (R2)', ...on('work', 'pull') },
    reply: on('work', ...WORK),
  },
  append: {
    ...{ action: 'send', summary: 'Starts a turn, and stores what the agent says in it (R3 to R8)' },
    ...on('taskEvents', ...WRITTEN),
    reply: on('replies', 'appendReply'),
  },
  load: {
    ...{ action: 'send', summary: 'Reads the events of a task (R9)', ...on('storedEvents', 'directGet') },
    reply: on('replies', ...EVENT_TYPES),
  },
  follow: {
    ...{ action: 'receive', summary: 'Hears of messages, a cancel, a take-over or the end of a task (R12, R14, R22)' },
    ...on('liveEvents', ...EVENT_TYPES),
  },
  acknowledge: {
    ...{ action: 'send', summary: 'Settles a work item, or keeps it while its turn runs (R17 to R20)' },
    ...on('acknowledgements', ...Object.keys(ACKS)),
  },
  respond: {
    ...{ action: 'receive', summary: 'Answers a message that belongs to no task', ...on('enquiries', 'enquiry') },
    reply: on('enquiries', 'answer'),
  },
};

/** The AsyncAPI document of an executor. */
export const asyncApi = (): Fields => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Tidemark executor protocol',
    version: '1.0.0',
    description:
      'What an executor sends and receives on NATS. The rules that it keeps are in docs/reference/executor-protocol.md.',
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  defaultContentType: 'application/json',
  servers: {
    local: {
      host: '127.0.0.1:4222',
      protocol: 'nats',
      description: 'nats-server 2.14 or newer with JetStream; the setting NATS_URL names another one',
    },
  },
  channels,
  operations,
  components: {
    parameters,
    messages: {
      ...Object.fromEntries(EVENT_TYPES.map((type) => [type, eventMessage(type)])),
      ...OTHERS,
      ...ACKS,
    },
  },
});
