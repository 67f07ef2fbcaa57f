import { liveWithProcesses } from './live-with-processes.mjs';
import { prepareToTest } from './prepare.mjs';
import { createSteps } from './steps.mjs';

await liveWithProcesses('interop', async (own) => {
  const step = createSteps(process.stdout);
  const binary = await prepareToTest(step);
  const { runClients } = await import('../../test/interop/interop.mjs');
  return runClients({ ...own, binary, step });
});
