import { credentialAskedBy } from './card-credential.mjs';
import { holdConversation } from './conversation.mjs';
import { cardOf, firstWordsFor, servedAgents } from './default-agent.mjs';
import { countTasks } from './earlier-tasks.mjs';
import { USUAL_AGENT } from './hosted-agents.mjs';
import { showReplay } from './replay.mjs';

/**
 * @typedef {{ root: import('./start-options.mjs').NamedAgent, hosted: readonly string[], isOwnBroker: boolean }} Shown
 */

/**
 * Shows what a Tidemark does that has just started, and says what its user may not expect. Of an agent that is not ours
 * nobody knows what it does with words, and where callers need credentials we have none: then nothing is said to it. What
 * goes wrong here is said, and ends nothing. Answers what one may say to the agent at the root, and the credential that
 * it takes. @throws where there is no such agent.
 * @param {string} gateway
 * @param {Shown} shown
 * @returns {Promise<{ words: string, credential?: string }>}
 */
export async function showAround(gateway, { root, hosted, isOwnBroker }) {
  const served = await servedAgents(gateway, hosted);
  const card = await cardOf(gateway, root, served);
  if (isOwnBroker) for (const note of notesAbout(root, hosted, served)) console.log(`    ${note}`);
  const credential = credentialAskedBy(card);
  if (credential) console.log('    callers must identify themselves, so no conversation is held');
  else if (hosted.includes(root.id)) await converse(gateway, root.id, hosted);
  return { words: firstWordsFor(card), credential };
}

/**
 * What is known from earlier, and hosted by no executor that was started here: a line for each.
 * @param {import('./start-options.mjs').NamedAgent} root
 * @param {readonly string[]} hosted
 * @param {readonly string[]} served
 */
export function notesAbout({ id, from }, hosted, served) {
  const left = served.filter((other) => !hosted.includes(other));
  return [
    ...(hosted.includes(id)
      ? []
      : [`nobody here hosts the agent at the root, ${id}, which ${from} names; hosted are: ${hosted.join(', ')}`]),
    ...(left.length > 0
      ? [`announced earlier, and hosted by nobody here: ${left.join(', ')} ("tidemark agents remove" takes one off)`]
      : []),
  ];
}

/**
 * @param {string} gateway
 * @param {string} root
 * @param {readonly string[]} hosted
 */
async function converse(gateway, root, hosted) {
  await attempt('Earlier tasks could not be counted', () => mentionEarlierTasks(gateway, root, hosted));
  if (root !== USUAL_AGENT) return;
  console.log();
  await attempt('The conversation failed', () => holdConversation(gateway, console.log));
  if (!hosted.includes('ticker')) return;
  console.log();
  await attempt('The replay failed', () => showReplay(gateway, console.log));
}

/**
 * @param {string} failure
 * @param {() => Promise<void>} show
 */
async function attempt(failure, show) {
  await show().catch((error) => console.log(`    ${failure}, and Tidemark goes on: ${error.message}`));
}

/**
 * @param {string} gateway
 * @param {string} root
 * @param {readonly string[]} hosted
 */
async function mentionEarlierTasks(gateway, root, hosted) {
  const tasks = await countTasks(gateway, root === USUAL_AGENT ? hosted : [root]);
  if (tasks > 0) console.log(`    found ${tasks} ${tasks === 1 ? 'task' : 'tasks'} of earlier runs`);
}
