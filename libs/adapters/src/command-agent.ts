import {
  type AgentOutput,
  type AgentProfile,
  completed,
  failed,
  NonRetryableError,
  type TaskAgent,
  type Turn,
} from '@tidemark/agent';
import type { Message } from '@tidemark/domain';
import { z } from 'zod';
import { toA2aMessage, toA2aTask, toLine } from './a2a-task';
import { parseLine } from './command-lines';
import { CommandProcess, type Ending } from './command-process';
import { freedFirst, isCancel } from './last-word';
import { LineTooLong, linesOf } from './line-reader';
import { faultIn, list, text } from './shapes';

/** All of it is optional. */
export type CommandAgentOptions = {
  readonly cwd?: string;
  /** What the program finds in its environment, besides `PATH`, `HOME`, `LANG` and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long a program that is to end may take for it, and then again after SIGTERM; 2 seconds where it is not given. */
  readonly graceMs?: number;
  /** How long one line of its output may be; 1 MiB where it is not given. */
  readonly maxLineBytes?: number;
};

const options = z.object({
  command: list(text().min(1, { error: 'must not be empty' })).min(1, { error: 'must name a program' }),
  cwd: text().optional(),
  env: z.record(z.string(), text()).default({}),
  graceMs: z.int().min(10).max(600_000).default(2_000),
  maxLineBytes: z.int().min(1).max(67_108_864).default(1_048_576),
});

/** Nothing else of the executor's environment reaches a program: there are secrets in it. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SYSTEMROOT'];

/**
 * Runs a program for each turn, in any language. It gets lines of JSON on its standard input: a `turn`, then each further
 * `message` of the user while it runs, and `cancel`. It says lines of JSON on its standard output: `working`, `artifact`,
 * `token`, `checkpoint`, and at the end `completed`, `failed`, `rejected`, `input-required` or `auth-required`.
 *
 * - A line that is none of these fails the task, and says which line and which field.
 * - Without a last word: exit code 0 means completed where the program has produced an artifact in this turn, else failed;
 *   any other end is an error with its exit code or signal, and is tried again.
 * - Its standard error is for who runs it, and never in a task: it is written to the executor's own, `id: ` before each line.
 * - After its last word, or the end of its output, its input is closed, and it has `graceMs` to end. After a cancel it has `graceMs` for a last word.
 *   Then it gets SIGTERM, and SIGKILL after `graceMs`; so does all that it has started.
 * - A program should end when its input does: that is all it learns of an executor that was killed.
 *
 * @throws Error where an option is wrong.
 */
export function commandAgent(
  argv: readonly string[],
  profile: AgentProfile & { readonly mode?: 'task' },
  given: CommandAgentOptions = {},
): TaskAgent {
  const parsed = options.safeParse({ ...given, command: argv });
  if (!parsed.success) throw new Error(`commandAgent: ${faultIn(parsed.error, 'options')}`);
  const { data } = parsed;
  const env = { ...passedOn(process.env), ...data.env };
  return { profile, run: (turn) => freedFirst(outputsOf({ ...data, env, label: profile.id }, turn)) };
}

type Command = z.output<typeof options> & { readonly label: string };

async function* outputsOf(command: Command, turn: Turn): AsyncGenerator<AgentOutput> {
  const { signal } = turn;
  signal.throwIfAborted();
  const program = new CommandProcess(command.command, command);
  const messages = turn.messages[Symbol.asyncIterator]();
  const onAbort = (): void => void hearAbort(program, signal, command.graceMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    void program.write(await turnLine(turn)).then(() => passOn(messages, turn, program));
    const hasProduced = yield* saidBy(program, command.maxLineBytes);
    void program.stop();
    const ending = await program.ended;
    signal.throwIfAborted();
    yield lastWordFor(ending, hasProduced);
  } finally {
    signal.removeEventListener('abort', onAbort);
    void messages.return?.();
    await program.stop();
  }
}

/** What the program says; returns whether it has produced anything. */
async function* saidBy(program: CommandProcess, maxLineBytes: number): AsyncGenerator<AgentOutput, boolean> {
  let [at, hasProduced] = [0, false];
  try {
    for await (const line of linesOf(program.output(), maxLineBytes)) {
      at += 1;
      if (line.trim() === '') continue;
      const output = parseLine(line, at);
      hasProduced ||= output.type === 'artifact' || output.type === 'token';
      yield output;
    }
  } catch (error) {
    throw error instanceof LineTooLong ? new NonRetryableError(error.message) : error;
  }
  return hasProduced;
}

/** @throws Error where the program has not ended well. */
function lastWordFor(ending: Ending, hasProduced: boolean): AgentOutput {
  if (ending.type === 'not-started') throw new NonRetryableError(`The program cannot be started: ${ending.code}`);
  if (ending.type === 'code' && ending.code === 0) {
    return hasProduced ? completed() : failed('The program ended without a result');
  }
  const how = ending.type === 'code' ? `ended with exit code ${ending.code}` : `was ended by ${ending.signal}`;
  throw new Error(`The program ${how}`);
}

/** After a cancel the program may still say how the task ends; in any other case nobody listens any more. */
async function hearAbort(program: CommandProcess, signal: AbortSignal, graceMs: number): Promise<void> {
  if (!isCancel(signal)) return program.terminate();
  void program.write(toLine({ type: 'cancel' }));
  const late = setTimeout(() => void program.terminate(), graceMs);
  await program.ended;
  clearTimeout(late);
}

/** Hands further messages on. They end with the turn, and then the program has no one to talk to. */
async function passOn(messages: AsyncIterator<Message>, turn: Turn, program: CommandProcess): Promise<void> {
  for (let next = await messages.next(); !next.done; next = await messages.next()) {
    await program.write(toLine({ type: 'message', message: toA2aMessage(next.value, turn.task) }));
  }
  await program.stop();
}

async function turnLine(turn: Turn): Promise<string> {
  const { task, message, attempt, checkpoint, authorization } = turn;
  const references = message.referenceTaskIds?.length ? await turn.references() : undefined;
  return toLine({
    ...{ type: 'turn', task: toA2aTask(task), message: toA2aMessage(message, task), attempt },
    ...(checkpoint && { checkpoint }),
    ...(authorization && { authorization }),
    ...(references && { references: { ...references, tasks: references.tasks.map(toA2aTask) } }),
  });
}

const passedOn = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
