import { banner } from './banner.mjs';
import { askedPorts, choosePorts, refuseTakenPorts } from './chosen-ports.mjs';
import { holdConversation } from './conversation.mjs';
import { cardOf, firstWordsFor } from './default-agent.mjs';
import { countTasks, KNOWN_AGENTS } from './earlier-tasks.mjs';
import { live } from './lifetime.mjs';
import { prepareToRun } from './prepare.mjs';
import { Processes } from './processes.mjs';
import { showReplay } from './replay.mjs';
import { takeRunLock } from './run-lock.mjs';
import { startStack } from './stack.mjs';
import { credentialIn, notesAbout } from './start-environment.mjs';
import { START_USAGE, startOptions, USUAL_AGENT, WrongUseError } from './start-options.mjs';
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
    const options = { broker, ...(await choosePorts(asked, broker)), dataDir, step, folder, env };
    const { gateway, natsUrl } = await startStack(processes, options);
    await lock.publish({ gateway, natsUrl });

    const credential = credentialIn(env);
    const shown = showAround(gateway, { defaultAgent, isOpen: credential === undefined }).then((words) =>
      console.log(banner({ gateway, grpcPort: options.grpcPort, broker, natsUrl, dataDir, words, credential })),
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

/**
 * Of an agent that is not ours nobody knows what it does with words, and where credentials are asked for we have none:
 * then it is only looked up. Answers what one may say to the default agent.
 * @param {string} gateway
 * @param {{ defaultAgent: string, isOpen: boolean }} shown
 */
async function showAround(gateway, { defaultAgent, isOpen }) {
  const card = await cardOf(gateway, defaultAgent);
  if (!isOpen) return firstWordsFor(card);
  await mentionEarlierTasks(gateway, defaultAgent);
  if (defaultAgent !== USUAL_AGENT) return firstWordsFor(card);
  console.log();
  await holdConversation(gateway, console.log);
  console.log();
  await showReplay(gateway, console.log);
  return firstWordsFor(card);
}

/**
 * @param {string} gateway
 * @param {string} defaultAgent
 */
async function mentionEarlierTasks(gateway, defaultAgent) {
  const tasks = await countTasks(gateway, defaultAgent === USUAL_AGENT ? KNOWN_AGENTS : [defaultAgent]);
  if (tasks > 0) console.log(`    found ${tasks} ${tasks === 1 ? 'task' : 'tasks'} of earlier runs`);
}
