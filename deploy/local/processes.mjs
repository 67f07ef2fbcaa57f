import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.mjs';

const GRACE_MS = 10_000;
/** Who dies this often within this time would do it for ever. */
const HOPELESS = { deaths: 3, withinMs: 30_000 };
const WATCHDOG = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/** What ends first and what ends last: the apps still need the broker while they finish. */
export const STAGE = { app: 0, broker: 1 };

/** @typedef {{ program: import('./child.mjs').Program, stage: number, wasReady: boolean, deaths: number[] }} Life */

/** The processes of one Tidemark: started, watched and ended together. */
export class Processes {
  /** @type {{ child: import('./child.mjs').Child, stage: number }[]} */
  #running = [];
  #watchdog;
  #stopping;
  #reportDeath;
  #reportRevival;

  /**
   * Resolves with an error that says it all if one of them ends for good although nobody stopped it.
   * @type {Promise<Error>}
   */
  death = new Promise((resolve) => (this.#reportDeath = resolve));

  /**
   * With `reportRevival`, one that ends after it was ready is started again, and the lines about it go there.
   * @param {{ reportRevival?: (line: string) => void }} [options]
   */
  constructor({ reportRevival } = {}) {
    this.#reportRevival = reportRevival;
  }

  /**
   * Answers once it is ready, if the program can tell.
   * @param {import('./child.mjs').Program} program
   * @param {number} stage
   */
  async start(program, stage) {
    /** @type {Life} */
    const life = { program, stage, wasReady: false, deaths: [] };
    const child = await this.#spawn(life);
    await program.ready?.(child);
    life.wasReady = true;
    return child;
  }

  /** @param {Life} life */
  async #spawn(life) {
    const { program, stage } = life;
    if (this.#stopping) throw new Error(`${program.name} was not started: everything is being stopped`);
    const child = await startChild(program);
    if (this.#stopping) child.kill('SIGTERM');
    this.#running.push({ child, stage });
    this.#tell({ started: child.pid, stage });
    void child.exited.then((exit) => this.#onExit(child, { life, exit }));
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
   * @param {{ life: Life, exit: import('./child.mjs').Exit }} end
   */
  async #onExit(child, { life, exit: { code, signal } }) {
    this.#tell({ ended: child.pid });
    this.#running = this.#running.filter((running) => running.child !== child);
    if (this.#stopping) return;
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const report = `${child.name} ${how}. Its last lines:\n${await child.lastLines()}`;
    if (!this.#reportRevival || !life.wasReady || isHopeless(life)) return this.#reportDeath(new Error(report));

    this.#reportRevival(`\n${report}`);
    await this.#revive(life).catch(this.#reportDeath);
  }

  /** @param {Life} life */
  async #revive(life) {
    const { name, port, ready } = life.program;
    this.#reportRevival(`    starting ${name} again${port ? ` on port ${port}` : ''}`);
    const child = await this.#spawn(life);
    try {
      await ready?.(child);
    } catch (error) {
      // If it has ended, that is a death of its own, and seen to as such.
      if (!child.isRunning()) return;
      throw error;
    }
    this.#reportRevival(`    ${name} is ready again`);
  }

  /** @param {object} news */
  #tell(news) {
    this.#watchdog ??= startWatchdog();
    this.#watchdog.stdin.write(`${JSON.stringify(news)}\n`);
  }
}

/** @param {Life} life */
function isHopeless({ deaths }) {
  deaths.push(performance.now());
  const first = deaths.at(-HOPELESS.deaths);
  return first !== undefined && performance.now() - first < HOPELESS.withinMs;
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
