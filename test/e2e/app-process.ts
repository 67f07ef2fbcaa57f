import { freePort } from '@tidemark/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export type AppName = 'gateway' | 'executor' | 'projector' | 'notifier';

const ROOT = resolve(__dirname, '../..');
const READY_MS = 30_000;
const LOG_BYTES = 20_000;

/** One app as users run it: a process of its own, with its settings in the environment. */
export class AppProcess {
  #child?: ChildProcess;
  #log = '';
  readonly #logs = new PassThrough();

  private constructor(
    readonly name: AppName,
    private readonly ports: { readonly http: number; readonly grpc: number },
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.#logs.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-LOG_BYTES)));
  }

  static async start(name: AppName, env: Readonly<Record<string, string>>): Promise<AppProcess> {
    const app = new AppProcess(name, { http: await freePort(), grpc: await freePort() }, env);
    try {
      await app.start();
      return app;
    } catch (error) {
      await app.end();
      throw error;
    }
  }

  get port(): number {
    return this.ports.http;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Of a gateway. */
  get grpcAddress(): string {
    return `127.0.0.1:${this.ports.grpc}`;
  }

  /** The last of what it has written. */
  get log(): string {
    return this.#log;
  }

  /** Resolves when a log line holds the text. */
  async logged(text: string): Promise<void> {
    while (!this.#log.includes(text)) await once(this.#logs, 'data');
  }

  /** True where what it has written lately holds the text. */
  hasLogged(text: string): boolean {
    return this.#log.includes(text);
  }

  /** Starts it, or starts it again on the same port, and waits until it is ready. */
  async start(): Promise<void> {
    const own = { ...process.env, GRPC_PORT: String(this.ports.grpc), ...this.env };
    const env = { ...own, PORT: String(this.port), HOST: '127.0.0.1' };
    const child = spawn(process.execPath, [`dist/apps/${this.name}/main.js`], { cwd: ROOT, env });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(this.#logs, { end: false });
    }
    await this.#ready(child);
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Ends it as a crash would, or with a signal that it can answer. Resolves with its exit code. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
    child.kill(signal);
    if (signal === 'SIGKILL') child.kill('SIGCONT');
    return ended;
  }

  async #ready(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`${this.name} did not become ready:\n${this.#log}`);
  }
}
