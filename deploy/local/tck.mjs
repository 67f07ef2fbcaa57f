import { missingTools } from '../../test/conformance/tools.mjs';
import { liveWithProcesses } from './live-with-processes.mjs';
import { prepareToTest } from './prepare.mjs';
import { createSteps } from './steps.mjs';

await liveWithProcesses('tck', async (own) => {
  const missing = await missingTools(['git', 'python3']);
  if (missing.length > 0) return console.log(`skipped: the kits need ${missing.join(' and ')}, which is not there`);

  const step = createSteps(process.stdout);
  const binary = await prepareToTest(step);
  const { runKits } = await import('../../test/tck/tck.mjs');
  return runKits({ ...own, binary, step, only: process.argv.slice(2) });
});
