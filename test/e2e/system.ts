import { DeploymentKeys, formatKeyFile, withNewKeys } from '@tidemark/keys';
import { startNats, type TestNats } from '@tidemark/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AppName, AppProcess } from './app-process';

/** Short, so that a take-over is part of a test and not its length. */
export const ACK_WAIT_MS = 2_000;

type Env = Readonly<Record<string, string>>;

/** The built module of an example agent, for AGENT_MODULES. */
export const example = (name: string): string => resolve(__dirname, `../../dist/deploy/examples/agents/${name}.js`);

type Broker = Pick<TestNats, 'url' | 'stop'>;

/** The whole of Tidemark on a broker of its own. */
export class System<Nats extends Broker = TestNats> {
  readonly #apps: AppProcess[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), 'tidemark-e2e-'));
  readonly #keysPath: string;
  #indexes = 0;

  private constructor(
    readonly nats: Nats,
    keyFile: string,
    private readonly env: Env = {},
  ) {
    this.#keysPath = join(this.#directory, 'keys.json');
    writeFileSync(this.#keysPath, keyFile);
  }

  static async start(...names: readonly AppName[]): Promise<System> {
    const system = new System(await startNats(), formatKeyFile(await withNewKeys()));
    return system.#begin(async () => {
      await system.add('executor'); // announces the agents that a gateway serves
      await system.#addAll(names);
    });
  }

  /** On a broker of somebody else, with all apps at the same moment, and settings that all of them have. */
  static async on<Nats extends Broker>(nats: Nats, env: Env, names: readonly AppName[]): Promise<System<Nats>> {
    const system = new System(nats, formatKeyFile(await withNewKeys()), env);
    return system.#begin(() => system.#addAll(names));
  }

  /** What does not begin is ended, or the run of the tests would wait for it for ever. */
  async #begin(begin: () => Promise<void>): Promise<this> {
    try {
      await begin();
      return this;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** All of them, before it is said that one has failed. */
  async #addAll(names: readonly AppName[]): Promise<void> {
    const added = await Promise.allSettled(names.map((name) => this.add(name)));
    const failed = added.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async add(name: AppName, env: Env = {}): Promise<AppProcess> {
    const index = join(this.#directory, `index-${this.#indexes++}.db`);
    const common = { NATS_URL: this.nats.url, ACK_WAIT_MS: String(ACK_WAIT_MS), INDEX_PATH: index, LOG_LEVEL: 'warn' };
    const settings = { ...common, CANCEL_GRACE_MS: '1000', KEYS_FILE: this.#keysPath, ...this.env, ...env };
    const app = await AppProcess.start(name, settings);
    this.#apps.push(app);
    return app;
  }

  /** What the apps sign with, and keep secrets under. */
  keys(): Promise<DeploymentKeys> {
    return DeploymentKeys.load(this.#keysPath);
  }

  /** The first, or the `nth`, app of a name. */
  app(name: AppName, nth = 0): AppProcess {
    const found = this.#apps.filter((app) => app.name === name)[nth];
    if (!found) throw new Error(`no ${name} number ${nth}`);
    return found;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.end()));
    await this.nats.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
