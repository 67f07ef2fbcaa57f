import { banner } from './banner.mjs';
import { askedPorts, choosePorts, refuseTakenPorts } from './chosen-ports.mjs';
import { hostedAgents, rootAgent } from './hosted-agents.mjs';
import { live } from './lifetime.mjs';
import { prepareToRun } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { takeRunLock } from './run-lock.mjs';
import { showAround } from './show-around.mjs';
import { startStack } from './stack.mjs';
import { notesAbout } from './start-environment.mjs';
import { START_USAGE, startOptions, WrongUseError } from './start-options.mjs';
import { createSteps } from './steps.mjs';

const WRONG_USE = 2;

/** @typedef {{ folder: string, dataDir: string }} Place */

/**
 * Runs the whole system until it is told to end; never returns.
 * @param {readonly string[]} args
 * @param {Place} place where modules are looked for, and where the data is kept
 */
export async function launch(args, place) {
  const step = createSteps(process.stdout);
  const processes = new Processes({ reportRevival: console.log });
  let lock;

  await live({
    work: () => withOptions(args, place, work),
    kill: () => processes.kill(),
    cleanUp: async () => {
      await processes.stop();
      await lock?.release();
    },
  });

  /** @param {import('./start-options.mjs').StartOptions} options */
  async function work({ env, defaultAgent }) {
    const { folder, dataDir } = place;
    const asked = askedPorts(env);
    lock = await takeRunLock(dataDir);
    await refuseTakenPorts(asked);
    for (const note of notesAbout(env)) console.log(`    ${note}`);
    const broker = await prepareToRun(step);
    const hosted = await hostedAgents({ env, folder });
    const root = rootAgent(defaultAgent, hosted);
    const ports = await choosePorts(asked, broker);
    const options = { broker, ...ports, dataDir, step, folder, env: { ...env, DEFAULT_AGENT: root.id } };
    const { gateway, natsUrl } = await startStack(processes, options);
    await lock.publish({ gateway, natsUrl });

    const shown = showAround(gateway, { root, hosted, isOwnBroker: broker.kind === 'binary' }).then((call) =>
      console.log(banner({ gateway, grpcPort: ports.grpcPort, broker, natsUrl, dataDir, ...call })),
    );
    throw await Promise.race([processes.death, shown.then(() => processes.death)]);
  }
}

/**
 * @param {readonly string[]} args
 * @param {Place} place
 * @param {(options: import('./start-options.mjs').StartOptions) => Promise<number>} work
 */
async function withOptions(args, { folder }, work) {
  try {
    const options = startOptions(args, folder);
    if (!options.help) return await work(options);
    console.log(START_USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof WrongUseError)) throw error;
    console.error(`tidemark: ${error.message}\n\n${START_USAGE}`);
    return WRONG_USE;
  }
}
