import { fileURLToPath } from 'node:url';
import { run, runVisibly } from './command.mjs';
import { installDependencies } from './install.mjs';
import { live } from './lifetime.mjs';
import { ROOT } from './paths.mjs';
import { createSteps } from './steps.mjs';

const CHECKS = ['format', 'lint', 'types', 'architecture'];
const TESTS = fileURLToPath(new URL('./test.mjs', import.meta.url));

const since = performance.now();
const step = createSteps(process.stdout);

await live({ work, interruptedCode: 130 });

async function work() {
  await step('dependencies', (note) => installDependencies(note));
  for (const check of CHECKS) {
    await step(check, () => run('npm', ['run', '--silent', `check:${check}`], { cwd: ROOT }).then(() => undefined));
  }
  const code = await runVisibly(process.execPath, [TESTS], { cwd: ROOT });
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  console.log(code === 0 ? `Verified in ${seconds} s.` : `Tests failed, after ${seconds} s.`);
  return code;
}
