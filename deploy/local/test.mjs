import { live } from './lifetime.mjs';
import { prepareToTest } from './prepare.mjs';
import { createSteps } from './steps.mjs';
import { closingLine } from './tallies.mjs';
import { runTests } from './test-runs.mjs';

await live({ work, interruptedCode: 130 });

async function work() {
  const binary = await prepareToTest(createSteps(process.stdout));
  const { tally, code } = await runTests(process.argv.slice(2), { ...process.env, NATS_SERVER_BIN: binary });
  const nothingRan = tally.passed + tally.failed === 0;
  if (nothingRan) console.error('No test was run.');
  console.log(closingLine(tally));
  return code || (nothingRan ? 1 : 0);
}
