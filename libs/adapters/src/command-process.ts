import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { passOnErrors } from './error-lines';
import { codeOf } from './thrown';

export type CommandOptions = {
  /** Stands in front of each line of its standard error. */
  readonly label: string;
  readonly cwd?: string;
  /** What the program finds in its environment; secrets of the executor are not in it. */
  readonly env: Readonly<Record<string, string>>;
  /** How long it has to end by itself, and then again after SIGTERM, before it is killed. */
  readonly graceMs: number;
};

/** How a program has ended, or why it has not even begun. */
export type Ending =
  | { readonly type: 'code'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: string }
  | { readonly type: 'not-started'; readonly code: string };

/** Programs whose groups are killed should this process end before them. */
const running = new Set<CommandProcess>();

/** A program in a process group of its own. It is gone, with all that it has started, when `stop` resolves. */
export class CommandProcess {
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcessWithoutNullStreams;
  #isStopping?: Promise<void>;

  constructor(
    [file = '', ...args]: readonly string[],
    private readonly options: CommandOptions,
  ) {
    const { cwd, env, label } = options;
    this.#child = spawn(file, args, { env, detached: true, stdio: 'pipe', ...(cwd !== undefined && { cwd }) });
    this.ended = this.#whenEnded();
    this.#child.stdin.on('error', () => undefined); // it has ended, or does not listen: both show elsewhere
    passOnErrors(this.#child.stderr, label);
    if (running.size === 0) process.once('exit', killAll);
    running.add(this);
  }

  /** What it writes; it has to wait where nobody reads. */
  async *output(): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of this.#child.stdout) yield bytes as Uint8Array;
    } catch (error) {
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  /** Resolves when there is room for more, or nobody who would read it. */
  async write(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable || stdin.write(line)) return;
    await new Promise<void>((resolve) => {
      stdin.once('drain', resolve);
      stdin.once('close', resolve);
    });
  }

  /** Lets it end by itself, then asks it to, then kills it. */
  stop(): Promise<void> {
    this.#child.stdin.end();
    this.#isStopping ??= this.#within().then((hasEnded) => (hasEnded ? undefined : this.terminate()));
    return this.#isStopping;
  }

  /** Asks it to end, then kills it. */
  async terminate(): Promise<void> {
    this.kill('SIGTERM');
    if (await this.#within()) return;
    this.kill('SIGKILL');
    await this.ended;
  }

  /** Signals the whole group. */
  kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (!isNobodyThere(error)) throw error;
    }
  }

  #whenEnded(): Promise<Ending> {
    return new Promise((resolve) => {
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        if (this.#child.pid !== undefined) return;
        this.#forget();
        resolve({ type: 'not-started', code: error.code ?? error.message });
      });
      this.#child.once('exit', (code, signal) => {
        this.#leaveNothing();
        resolve(code === null ? { type: 'signal', signal: signal ?? 'a signal' } : { type: 'code', code });
      });
    });
  }

  /** What it has started ends with it, and nobody else keeps its output open for long. */
  #leaveNothing(): void {
    this.kill('SIGKILL');
    this.#forget();
    const { stdout } = this.#child;
    const closing = setTimeout(() => stdout.destroy(), this.options.graceMs);
    stdout.once('close', () => clearTimeout(closing));
  }

  #forget(): void {
    running.delete(this);
    if (running.size === 0) process.off('exit', killAll);
  }

  async #within(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), this.options.graceMs)));
    try {
      return await Promise.race([this.ended.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Nobody is left in the group; some systems say EPERM where only the dead are. */
const isNobodyThere = (error: unknown): boolean => ['ESRCH', 'EPERM'].includes(codeOf(error) ?? '');

function killAll(): void {
  for (const program of running) program.kill('SIGKILL');
}
