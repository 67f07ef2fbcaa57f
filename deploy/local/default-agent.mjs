import { setTimeout as sleep } from 'node:timers/promises';

const KNOWN_MS = 10_000;
const POLL_MS = 100;

/**
 * The ids of all agents that the gateway serves, whether anybody hosts them now or not. A gateway hears of an agent a
 * moment after its executor is ready, so those that are expected are waited for, but not for ever.
 * @param {string} gateway
 * @param {readonly string[]} expected
 * @param {number} [limitMs]
 * @returns {Promise<string[]>}
 */
export async function servedAgents(gateway, expected, limitMs = KNOWN_MS) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const response = await fetch(`${gateway}/agents`, { signal: AbortSignal.timeout(KNOWN_MS) });
    const ids = (await response.json()).agents.map(({ id }) => id);
    if (expected.every((id) => ids.includes(id)) || performance.now() > deadline) return ids;
    await sleep(POLL_MS);
  }
}

/**
 * The card of the agent at the root. @throws where the gateway serves no such agent.
 * @param {string} gateway
 * @param {import('./start-options.mjs').NamedAgent} agent
 * @param {readonly string[]} served
 */
export async function cardOf(gateway, { id, from }, served) {
  const response = await fetch(`${gateway}/.well-known/agent-card.json`, { signal: AbortSignal.timeout(KNOWN_MS) });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(
    `no agent here has the id ${id}, which ${from} names; there ${served.length === 1 ? 'is' : 'are'}: ${served.join(', ') || 'none'}`,
  );
}

/**
 * What the agent itself gives as an example, for whoever wants to try it.
 * @param {{ skills?: readonly { examples?: readonly string[] }[] }} card
 */
export function firstWordsFor({ skills = [] }) {
  return skills.flatMap(({ examples = [] }) => examples)[0] ?? 'Hello';
}
