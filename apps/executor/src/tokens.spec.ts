import { type AgentOutput, artifact, completed, text, token, working } from '@tidemark/agent';
import { setTimeout as delay } from 'node:timers/promises';
import { coalesced } from './tokens';

const LIMITS = { coalesceMs: 20, coalesceLength: 10 };
const NEVER = { coalesceMs: 60_000, coalesceLength: 1_000 };

async function all(outputs: AsyncIterable<AgentOutput>): Promise<AgentOutput[]> {
  const seen: AgentOutput[] = [];
  for await (const output of outputs) seen.push(output);
  return seen;
}

async function* saying(...outputs: readonly AgentOutput[]): AsyncGenerator<AgentOutput> {
  yield* outputs;
}

describe('pieces of a text', () => {
  it('become one, as far as they come within a moment', async () => {
    expect(await all(coalesced(saying(token('Hel'), token('lo')), NEVER))).toEqual([token('Hello')]);
  });

  it('are handed on when they have waited, though the agent says nothing more', async () => {
    let goOn: () => void = () => undefined;
    const outputs = coalesced(
      (async function* () {
        yield token('first');
        await new Promise<void>((resolve) => (goOn = resolve));
        yield token('second');
      })(),
      LIMITS,
    );
    expect((await outputs.next()).value).toEqual(token('first'));
    goOn();
    expect((await outputs.next()).value).toEqual(token('second'));
    expect((await outputs.next()).done).toBe(true);
  });

  it('are handed on without waiting once they are long', async () => {
    const pieces = Array.from({ length: 7 }, () => token('four'));
    const texts = (await all(coalesced(saying(...pieces), { ...NEVER, coalesceLength: 10 }))).map(
      (output) => output.type === 'token' && output.text.length,
    );
    expect(texts).toEqual([12, 12, 4]);
  });

  it('of two artifacts stay apart, and nothing overtakes them', async () => {
    const other = artifact({ name: 'other', parts: [text('x')] });
    const outputs = [
      token('a'),
      token('b'),
      token('c', 'notes'),
      other,
      token('d'),
      working(),
      token('e'),
      completed(),
    ];
    expect(await all(coalesced(saying(...outputs), NEVER))).toEqual([
      ...[token('ab'), token('c', 'notes'), other, token('d'), working(), token('e'), completed()],
    ]);
  });

  it('come before the error that follows them', async () => {
    const outputs = coalesced(
      (async function* () {
        yield token('a');
        throw new Error('no answer');
      })(),
      NEVER,
    );
    expect((await outputs.next()).value).toEqual(token('a'));
    await expect(outputs.next()).rejects.toThrow('no answer');
  });
});

describe('an agent', () => {
  it('is not asked for more than what was taken, and is told when that is all', async () => {
    let isTold = false;
    const asked: number[] = [];
    const outputs = coalesced(
      (async function* () {
        try {
          for (let i = 1; ; i++) {
            asked.push(i);
            yield working(String(i));
          }
        } finally {
          isTold = true;
        }
      })(),
      LIMITS,
    );
    await outputs.next();
    await delay(0);
    expect(asked).toEqual([1]);
    await outputs.return();
    await delay(0);
    expect(isTold).toBe(true);
  });
});
