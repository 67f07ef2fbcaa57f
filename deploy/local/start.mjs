import { APP_PORTS } from './apps.mjs';
import { banner } from './banner.mjs';
import { holdConversation } from './conversation.mjs';
import { countTasks } from './earlier-tasks.mjs';
import { live } from './lifetime.mjs';
import { DATA_DIR } from './paths.mjs';
import { askedPort, freePortOr, isFree } from './ports.mjs';
import { prepareToRun } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { showReplay } from './replay.mjs';
import { takeRunLock } from './run-lock.mjs';
import { startStack } from './stack.mjs';
import { createSteps } from './steps.mjs';

const NATS_PORT = 4222;

const step = createSteps(process.stdout);
const processes = new Processes({ reportRevival: console.log });
let lock;

await live({
  work,
  kill: () => processes.kill(),
  cleanUp: async () => {
    await processes.stop();
    await lock?.release();
  },
});

async function work() {
  const asked = askedPort();
  lock = await takeRunLock(DATA_DIR);
  if (asked) await refuseTakenPort(asked);
  const broker = await prepareToRun(step);
  const options = { broker, ...(await choosePorts(broker)), dataDir: DATA_DIR, step };
  const { gateway, natsUrl } = await startStack(processes, options);
  await lock.publish({ gateway, natsUrl });
  await mentionEarlierTasks(gateway);

  const shown = showAround(gateway).then(() => console.log(banner({ gateway, broker, natsUrl, dataDir: DATA_DIR })));
  throw await Promise.race([processes.death, shown.then(() => processes.death)]);
}

/** @param {string} gateway */
async function showAround(gateway) {
  console.log();
  await holdConversation(gateway, console.log);
  console.log();
  await showReplay(gateway, console.log);
}

/** @param {string} gateway */
async function mentionEarlierTasks(gateway) {
  const tasks = await countTasks(gateway);
  if (tasks > 0) console.log(`    found ${tasks} ${tasks === 1 ? 'task' : 'tasks'} of earlier runs`);
}

/**
 * Whoever asked for a port by name would not look for us at another.
 * @param {number} port
 */
async function refuseTakenPort(port) {
  if (!(await isFree(port))) throw new Error(`port ${port}, which PORT asks for, is taken`);
}

/** @param {import('./broker.mjs').Broker} broker */
async function choosePorts(broker) {
  const wanted = { ...APP_PORTS, gateway: askedPort() ?? APP_PORTS.gateway };
  const ports = /** @type {import('./apps.mjs').Ports} */ ({});
  for (const [name, port] of Object.entries(wanted)) ports[name] = await choosePort(name, port, Object.values(ports));
  const natsPort = broker.kind === 'external' ? 0 : await choosePort('nats-server', NATS_PORT, Object.values(ports));
  return { ports, natsPort };
}

/**
 * @param {string} name
 * @param {number} wanted
 * @param {readonly number[]} promised
 */
async function choosePort(name, wanted, promised) {
  const port = await freePortOr(wanted, promised);
  if (port !== wanted) console.log(`    port ${wanted} is taken, so ${name} listens on ${port}`);
  return port;
}
