import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { live } from './lifetime.mjs';
import { DATA_DIR } from './paths.mjs';
import { prepareToTest } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { createSteps } from './steps.mjs';

const dataDir = join(DATA_DIR, `interop-${process.pid}`);
const processes = new Processes();

await live({
  work,
  interruptedCode: 130,
  kill: () => processes.kill(),
  cleanUp: async () => {
    await processes.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

async function work() {
  const step = createSteps(process.stdout);
  const binary = await prepareToTest(step);
  const { runClients } = await import('../../test/interop/interop.mjs');
  return runClients({ processes, binary, dataDir, step });
}
