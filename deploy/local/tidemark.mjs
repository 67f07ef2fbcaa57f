import { join } from 'node:path';
import { runVisibly } from './command.mjs';
import { live } from './lifetime.mjs';
import { DATA_DIR, ROOT } from './paths.mjs';
import { prepareToBuild, prepareToTest } from './prepare.mjs';
import { currentRun } from './run-lock.mjs';
import { createSteps } from './steps.mjs';

const CLI = join(ROOT, 'dist', 'apps', 'cli', 'main.js');

// What the command prints may be read by a program, so the steps before it go elsewhere.
const step = createSteps(process.stderr, { quietMs: 2_000 });

await live({ work, interruptedCode: 130 });

async function work() {
  const args = process.argv.slice(2);
  const env = args[0] === 'conformance' && !process.env.NATS_URL ? await withBinary() : await withBroker();
  return runVisibly(process.execPath, [CLI, ...args], { env });
}

/** Executors are judged on a broker of their own. */
async function withBinary() {
  return { ...process.env, NATS_SERVER_BIN: await prepareToTest(step) };
}

/** The broker that the user names, else that of the Tidemark which runs here: it may have had to take another port. */
async function withBroker() {
  await prepareToBuild(step);
  const natsUrl = process.env.NATS_URL || (await currentRun(DATA_DIR))?.natsUrl;
  return natsUrl ? { ...process.env, NATS_URL: natsUrl } : process.env;
}
