import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const KEPT_CHARACTERS = 2_000;

/** One instance of the executor under test, in a process group of its own: its command may be a script that starts it. */
export class ExecutorProcess {
  readonly #child: ChildProcess;
  #said = '';
  #trouble?: string;

  constructor(
    readonly id: string,
    [program = '', ...args]: readonly string[],
    env: Readonly<Record<string, string>>,
  ) {
    this.#child = spawn(program, args, {
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.once('error', (error) => (this.#trouble = error.message));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#said = (this.#said + chunk.toString()).slice(-KEPT_CHARACTERS)));
    }
  }

  get isRunning(): boolean {
    return this.#trouble === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How it ended, with its last words. */
  get ending(): string {
    const { exitCode, signalCode } = this.#child;
    const how = this.#trouble ?? `ended with ${exitCode ?? signalCode}`;
    return `The executor ${how}${this.#said && `; it said: ${this.#said.trim()}`}`;
  }

  /** As a crash. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended();
  }

  /** Tells it to stop, and waits. False where it did not in time: then it is killed. */
  async stop(limitMs: number): Promise<boolean> {
    let isLate = false;
    this.#signal('SIGTERM');
    const late = setTimeout(() => {
      isLate = true;
      this.#signal('SIGKILL');
    }, limitMs);
    await this.#ended();
    clearTimeout(late);
    return !isLate;
  }

  async #ended(): Promise<void> {
    if (this.isRunning) await once(this.#child, 'exit');
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (!pid || !this.isRunning) return;
    try {
      process.kill(-pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
