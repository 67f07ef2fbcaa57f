import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Ran } from './tidemark';

export const ROOT = resolve(__dirname, '../..');

type Env = Readonly<Record<string, string>>;

/** A folder outside of the repository, where things are typed as a user types them. */
export class Project {
  readonly base = mkdtempSync(join(tmpdir(), 'tidemark-project-'));

  readonly #interrupts: (() => Promise<unknown>)[] = [];

  constructor(private readonly name = 'my-agent') {}

  get folder(): string {
    return join(this.base, this.name);
  }

  /** Runs a line of shell to its end. */
  sh(line: string, { cwd = this.folder, env = {} }: { cwd?: string; env?: Env } = {}): Promise<Ran> {
    return new Promise((done) => {
      const child = execFile('sh', ['-c', line], { cwd, env: { ...outside(), ...env } }, (_, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** Starts something that stays, and resolves once it has said these words. */
  async start(line: string, { words, env }: { words: string; env: Env }): Promise<Running> {
    // In a process group of its own, as a terminal has it: a Ctrl-C reaches all of it.
    const child = spawn('sh', ['-c', line], { cwd: this.folder, env: { ...outside(), ...env }, detached: true });
    let output = '';
    const closed = once(child, 'close').then(([code]) => code as number | null);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    const interrupt = (): Promise<number | null> => {
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGINT');
      return closed;
    };
    this.#interrupts.push(interrupt);
    while (!output.includes(words)) {
      const code = await Promise.race([once(child.stdout, 'data'), closed]);
      if (!Array.isArray(code)) throw new Error(`it ended with ${code}:\n${output}`);
    }
    return { output: () => output, interrupt };
  }

  /** Ends what still runs. */
  async interrupt(): Promise<void> {
    await Promise.all(this.#interrupts.splice(0).map((interrupt) => interrupt()));
  }

  /** Ends what still runs, and removes everything. */
  async remove(): Promise<void> {
    await this.interrupt();
    rmSync(this.base, { recursive: true, force: true });
  }
}

export type Running = {
  readonly output: () => string;
  /** Ctrl-C; the code that it ends with. */
  readonly interrupt: () => Promise<number | null>;
};

/** What npm says of the run of our own tests is not for the npm that is run here. */
const outside = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name)));
