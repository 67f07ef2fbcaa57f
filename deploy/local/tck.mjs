import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { missingTools } from '../../test/conformance/tools.mjs';
import { live } from './lifetime.mjs';
import { DATA_DIR } from './paths.mjs';
import { prepareToTest } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { createSteps } from './steps.mjs';

const dataDir = join(DATA_DIR, `tck-${process.pid}`);
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
  const missing = await missingTools(['git', 'python3']);
  if (missing.length > 0) return console.log(`skipped: the kits need ${missing.join(' and ')}, which is not there`);

  const step = createSteps(process.stdout);
  const binary = await prepareToTest(step);
  const { runKits } = await import('../../test/tck/tck.mjs');
  return runKits({ processes, binary, dataDir, step, only: process.argv.slice(2) });
}
