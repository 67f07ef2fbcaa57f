import {
  type AgentOutput,
  artifact,
  completed,
  data,
  type HybridAgent,
  inputRequired,
  makeTask,
  rejected,
  reply,
  type TaskAgent,
  text,
  type Turn,
  working,
} from '@tidemark/agent';
import type { Part } from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';

type Behaviour = (turn: Turn) => AsyncIterable<AgentOutput>;

/** An agent that answers in no time would hide whether anybody waited for it. */
const PACE_MS = 50;
/** Twice what the kits wait for an event. */
const LONG_MS = 4_000;

const FILE = { filename: 'output.txt', mediaType: 'text/plain' };
const FILE_PART: Part = { raw: Buffer.from('Generated file content').toString('base64'), ...FILE };
const URL_PART: Part = { url: 'https://example.com/output.txt', ...FILE };

/** What the kit for A2A 1.0 asks for, by the beginning of a message's id. Of two that fit, the first one counts. */
const BEHAVIOURS: readonly (readonly [prefix: string, Behaviour])[] = [
  ['tck-artifact-text', delivering(text('Generated text content'))],
  ['tck-artifact-file-url', delivering(URL_PART)],
  ['tck-artifact-file', delivering(FILE_PART)],
  ['tck-artifact-data', delivering(data({ key: 'value', count: 42 }))],
  ['tck-input-required', asking],
  ['tck-reject-task', rejecting],
  ['tck-stream-001', streaming(text('Stream hello from TCK'))],
  ['tck-stream-003', streaming(text('Stream task lifecycle'))],
  ['tck-stream-ordering-001', streaming(text('Ordered output'))],
  ['tck-stream-artifact-text', streaming(text('Streamed text content'))],
  ['tck-stream-artifact-file', streaming(FILE_PART)],
  ['tck-stream-artifact-chunked', chunking],
  ['test-resubscribe-message-id', lasting],
];

const profile = {
  version: '1.0.0',
  defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream', 'image/*'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [{ id: 'obey', name: 'Obey', description: 'Does what the id of a message says', tags: ['conformance'] }],
};

const conforming: HybridAgent = {
  profile: {
    ...profile,
    id: 'tck',
    name: 'TCK',
    description: 'Behaves as the compatibility kit of A2A 1.0 asks',
    mode: 'hybrid',
  },

  async respond({ message }) {
    return message.messageId.startsWith('tck-message-response') ? reply('Direct message response') : makeTask();
  },

  run(turn) {
    const known = BEHAVIOURS.find(([prefix]) => turn.message.messageId.startsWith(prefix));
    return known ? known[1](turn) : completing(turn);
  },
};

const extension = { uri: 'urn:a2a:tck:required-extension', description: 'Has to be named', required: true };

/** As above, for clients that name an extension. */
const demanding: HybridAgent = {
  ...conforming,
  profile: { ...conforming.profile, ...{ extensions: [extension] }, id: 'tck-required-extension' },
};

/** Its kit wants tasks that are worked on until they are canceled, whatever is said to them. */
const busy: TaskAgent = {
  profile: {
    ...profile,
    id: 'tck-main',
    name: 'TCK main',
    description: 'Behaves as the older compatibility kit asks',
  },

  async *run({ messages }) {
    const heard = messages[Symbol.asyncIterator]();
    do yield working();
    while (!(await heard.next()).done);
  },
};

export const agents = [conforming, demanding, busy];

async function* completing({ signal }: Turn): AsyncIterable<AgentOutput> {
  await delay(PACE_MS, undefined, { signal });
  yield completed('Hello from TCK');
}

function delivering(part: Part): Behaviour {
  return async function* ({ signal }) {
    await delay(PACE_MS, undefined, { signal });
    yield artifact({ name: 'output', parts: [part], lastChunk: true });
    yield completed();
  };
}

function streaming(part: Part): Behaviour {
  return async function* (turn) {
    yield working();
    yield* delivering(part)(turn);
  };
}

async function* chunking({ signal }: Turn): AsyncIterable<AgentOutput> {
  yield working();
  yield artifact({ name: 'output', parts: [text('chunk-1 ')] });
  await delay(PACE_MS, undefined, { signal });
  yield artifact({ name: 'output', parts: [text('chunk-2')], append: true, lastChunk: true });
  yield completed();
}

async function* asking(): AsyncIterable<AgentOutput> {
  yield inputRequired('What else?');
}

async function* rejecting(): AsyncIterable<AgentOutput> {
  yield rejected('rejected');
}

async function* lasting({ signal }: Turn): AsyncIterable<AgentOutput> {
  yield working();
  await delay(LONG_MS, undefined, { signal });
  yield completed();
}
