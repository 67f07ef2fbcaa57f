import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.mjs';

const GRACE_MS = 10_000;
const WATCHDOG = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/** What ends first and what ends last: the apps still need the broker while they finish. */
export const STAGE = { app: 0, broker: 1 };

/** The processes of one Tidemark: started, watched and ended together. */
export class Processes {
  /** @type {{ child: import('./child.mjs').Child, stage: number }[]} */
  #running = [];
  #watchdog;
  #stopping;
  #reportDeath;

  /**
   * Resolves with an error that says it all if one of them ends although nobody stopped it.
   * @type {Promise<Error>}
   */
  death = new Promise((resolve) => (this.#reportDeath = resolve));

  /**
   * @param {import('./child.mjs').Program} program
   * @param {number} stage
   */
  async start(program, stage) {
    if (this.#stopping) throw new Error(`${program.name} was not started: everything is being stopped`);
    const child = await startChild(program);
    if (this.#stopping) child.kill('SIGTERM');
    this.#running.push({ child, stage });
    this.#tell({ started: child.pid, stage });
    void child.exited.then((exit) => this.#onExit(child, exit));
    return child;
  }

  /**
   * Ends everything in order, and is the same promise however often it is called.
   * @returns {Promise<void>}
   */
  stop() {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  /** For the impatient: nothing gets to finish. */
  kill() {
    this.#stopping ??= Promise.resolve();
    for (const { child } of this.#running) child.kill('SIGKILL');
  }

  async #stopInOrder() {
    for (const stage of Object.values(STAGE)) {
      const children = this.#running.filter((running) => running.stage === stage);
      await Promise.all(children.map(({ child }) => endGently(child)));
    }
    this.#watchdog?.stdin.end();
  }

  /**
   * @param {import('./child.mjs').Child} child
   * @param {import('./child.mjs').Exit} exit
   */
  async #onExit(child, { code, signal }) {
    this.#tell({ ended: child.pid });
    if (this.#stopping) return;
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    this.#reportDeath(new Error(`${child.name} ${how}. Its last lines:\n${await child.lastLines()}`));
  }

  /** @param {object} news */
  #tell(news) {
    this.#watchdog ??= startWatchdog();
    this.#watchdog.stdin.write(`${JSON.stringify(news)}\n`);
  }
}

function startWatchdog() {
  const watchdog = spawn(process.execPath, [WATCHDOG], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  // Without a watchdog everything still works, only a crash of ours would leave processes behind.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  return watchdog;
}

/** @param {import('./child.mjs').Child} child */
async function endGently(child) {
  child.kill('SIGTERM');
  const patience = new AbortController();
  const late = sleep(GRACE_MS, 'late', { signal: patience.signal }).catch(() => undefined);
  if ((await Promise.race([child.exited, late])) === 'late') child.kill('SIGKILL');
  await child.exited;
  patience.abort();
}
