import { artifact, completed, rejected, type TaskAgent, text } from '@tidemark/agent';
import type { JsonValue, Message } from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';

const MAX_CHUNKS = 100_000;
const MAX_PACE_MS = 3_600_000;
const DEFAULTS = { chunks: 10, everyMs: 100 };

type Pace = typeof DEFAULTS;

/** Streams one artifact in many chunks, and after a crash goes on where the last attempt got to. */
export const ticker: TaskAgent = {
  profile: {
    id: 'ticker',
    name: 'Ticker',
    description: 'Streams the artifact `ticks` in chunks, at a pace of your choice',
    version: '1.0.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'tick',
        name: 'Tick',
        description: `A data part {"chunks": 0 to ${MAX_CHUNKS}, "everyMs": 0 to ${MAX_PACE_MS}} sets number and pace`,
        tags: ['test', 'streaming'],
        examples: ['{"chunks": 10, "everyMs": 100}'],
      },
    ],
  },

  async *run({ message, task, signal }) {
    const pace = paceOf(message);
    if (typeof pace === 'string') {
      yield rejected(pace);
      return;
    }
    const done = task.artifacts.find(({ artifactId }) => artifactId === 'ticks')?.parts.length ?? 0;
    for (let tick = done + 1; tick <= pace.chunks; tick++) {
      if (pace.everyMs > 0) await delay(pace.everyMs, undefined, { signal });
      const lastChunk = tick === pace.chunks && ({ lastChunk: true } as const);
      yield artifact({ name: 'ticks', parts: [text(`tick ${tick}`)], append: true, ...lastChunk });
    }
    yield completed();
  },
};

/** Number and pace, or the sentence that says what is wrong with them. */
function paceOf({ parts }: Message): Pace | string {
  const given = parts.find((part) => 'data' in part);
  if (!given) return DEFAULTS;
  const { data } = given;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data: must be an object';
  const { chunks = DEFAULTS.chunks, everyMs = DEFAULTS.everyMs } = data as Readonly<Record<string, JsonValue>>;
  if (!isWithin(chunks, MAX_CHUNKS)) return `chunks: must be a whole number from 0 to ${MAX_CHUNKS}`;
  if (!isWithin(everyMs, MAX_PACE_MS)) return `everyMs: must be a whole number from 0 to ${MAX_PACE_MS}`;
  return { chunks, everyMs };
}

const isWithin = (value: JsonValue, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
