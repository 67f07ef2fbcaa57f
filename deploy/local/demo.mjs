import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_PORTS } from './apps.mjs';
import { credentialAskedBy } from './card-credential.mjs';
import { holdConversation } from './conversation.mjs';
import { cardOf, servedAgents } from './default-agent.mjs';
import { USUAL_AGENT } from './hosted-agents.mjs';
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
  work: async () => converse((await runningGateway()) ?? (await startOwn())),
  kill: () => processes.kill(),
  cleanUp: async () => {
    await processes.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  },
  interruptedCode: 130,
});

/** @param {string} gateway */
async function converse(gateway) {
  const served = await servedAgents(gateway, [USUAL_AGENT]);
  if (credentialAskedBy(await cardOf(gateway, { id: USUAL_AGENT, from: 'the demo' }, served))) {
    throw new Error(
      `The gateway at ${gateway} asks its callers for credentials, and the demo has none: ` +
        'end what runs here, and run the demo without AUTH_ISSUER and API_KEYS_FILE.',
    );
  }
  await holdConversation(gateway, console.log);
}

/** One that leaves nothing behind. */
async function startOwn() {
  const broker = await prepareToRun(step);
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-demo-'));
  const ports = /** @type {import('./apps.mjs').Ports} */ ({});
  for (const name of Object.keys(APP_PORTS)) ports[name] = await anyFreePort();
  const { gateway } = await startStack(processes, { broker, natsPort: await anyFreePort(), ports, dataDir, step });
  return gateway;
}
