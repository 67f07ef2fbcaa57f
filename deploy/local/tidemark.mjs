import { join } from 'node:path';
import { runVisibly } from './command.mjs';
import { live } from './lifetime.mjs';
import { DATA_DIR, ROOT } from './paths.mjs';
import { prepareToBuild } from './prepare.mjs';
import { currentRun } from './run-lock.mjs';
import { createSteps } from './steps.mjs';

const CLI = join(ROOT, 'dist', 'apps', 'cli', 'main.js');

// What the command prints may be read by a program, so the steps before it go elsewhere.
const step = createSteps(process.stderr, { quietMs: 2_000 });

await live({ work, interruptedCode: 130 });

async function work() {
  await prepareToBuild(step);
  return runVisibly(process.execPath, [CLI, ...process.argv.slice(2)], { env: await withBroker(process.env) });
}

/**
 * The broker that the user names, else that of the Tidemark which runs here: it may have had to take another port.
 * @param {NodeJS.ProcessEnv} env
 */
async function withBroker(env) {
  const natsUrl = env.NATS_URL || (await currentRun(DATA_DIR))?.natsUrl;
  return natsUrl ? { ...env, NATS_URL: natsUrl } : env;
}
