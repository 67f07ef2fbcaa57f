import { endCommands, killCommands } from './command.mjs';

// npm passes a Ctrl-C on to a process that the terminal has told already, so one key press can arrive twice.
const SAME_KEY_PRESS_MS = 700;
const ORPHAN_CHECK_MS = 500;

/**
 * Runs the work of a launcher and sees to it that the commands it runs are ended and `cleanUp` is run, however it ends:
 * by itself, by an error or by a signal. Never returns; the process ends with the code that the work gives or 0, with
 * 1, or with `interruptedCode`.
 * @param {{
 *   work: () => Promise<number | void>, cleanUp?: () => Promise<void>, kill?: () => void, interruptedCode?: number,
 * }} life
 */
export async function live({ work, cleanUp = async () => undefined, kill = () => undefined, interruptedCode = 0 }) {
  let stoppedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  whenOrphaned(stop);

  async function stop() {
    const now = performance.now();
    if (!stoppedAt) {
      stoppedAt = now;
      console.error('\nStopping. Ctrl-C again ends everything at once.');
      await end();
      console.error('Stopped.');
      process.exit(interruptedCode);
    }
    if (now - stoppedAt < SAME_KEY_PRESS_MS) return;
    killCommands();
    kill();
    process.exit(130);
  }

  async function end() {
    await endCommands();
    await cleanUp().catch(complain);
  }

  const code = await work().then(
    (code) => code ?? 0,
    (error) => (stoppedAt ? 0 : complain(error)),
  );
  if (stoppedAt) return;
  await end();
  process.exit(code);
}

/**
 * npm hands a SIGTERM to a shell that dies of it without a word to us: then we are stopped, too.
 * @param {() => void} stop
 */
function whenOrphaned(stop) {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  };
  const timer = setInterval(check, ORPHAN_CHECK_MS).unref();
  if (!process.env.npm_lifecycle_event) clearInterval(timer);
}

/** @param {Error} error */
function complain(error) {
  console.error(`\n${error.message}`);
  return 1;
}
