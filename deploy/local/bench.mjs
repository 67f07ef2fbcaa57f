import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { live } from './lifetime.mjs';
import { DATA_DIR } from './paths.mjs';
import { prepareToTest } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { createSteps } from './steps.mjs';

const dataDir = join(DATA_DIR, `bench-${process.pid}`);
const { values } = parseArgs({ options: { json: { type: 'string' } } });
const processes = new Processes();
const stopped = new AbortController();

await live({
  work,
  interruptedCode: 130,
  kill: () => processes.kill(),
  cleanUp: async () => {
    stopped.abort();
    await processes.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

async function work() {
  const binary = await prepareToTest(createSteps(process.stdout));
  // Express and others are slower elsewhere; and an executor holds as many turns as there are streams to keep open.
  Object.assign(process.env, { NODE_ENV: 'production', CONCURRENCY: '1024' });
  // Only now, because a fresh checkout has just got what it imports.
  const { runBench } = await import('../../test/bench/bench.mjs');
  await runBench({ processes, binary, dataDir, signal: stopped.signal, jsonFile: values.json });
}
