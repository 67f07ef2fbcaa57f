import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_PORTS } from './apps.mjs';
import { holdConversation } from './conversation.mjs';
import { live } from './lifetime.mjs';
import { anyFreePort } from './ports.mjs';
import { prepareToRun } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { runningGateway } from './running-gateway.mjs';
import { startStack } from './stack.mjs';
import { createSteps } from './steps.mjs';

// Only what takes a while is worth a line, and not among the lines of the conversation.
const step = createSteps(process.stderr, { quietMs: 2_000 });
const processes = new Processes();
let dataDir;

await live({
  work: async () => holdConversation((await runningGateway()) ?? (await startOwn()), console.log),
  kill: () => processes.kill(),
  cleanUp: async () => {
    await processes.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  },
  interruptedCode: 130,
});

/** One that leaves nothing behind. */
async function startOwn() {
  const broker = await prepareToRun(step);
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-demo-'));
  const ports = /** @type {import('./apps.mjs').Ports} */ ({});
  for (const name of Object.keys(APP_PORTS)) ports[name] = await anyFreePort();
  const { gateway } = await startStack(processes, { broker, natsPort: await anyFreePort(), ports, dataDir, step });
  return gateway;
}
