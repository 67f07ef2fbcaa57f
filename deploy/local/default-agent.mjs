import { setTimeout as sleep } from 'node:timers/promises';

const KNOWN_MS = 10_000;
const POLL_MS = 100;

/**
 * The card of the agent at the root. A gateway hears of an agent a moment after its executor is ready.
 * @param {string} gateway
 * @param {string} id
 * @param {number} [limitMs]
 */
export async function cardOf(gateway, id, limitMs = KNOWN_MS) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const response = await fetch(`${gateway}/.well-known/agent-card.json`, { signal: AbortSignal.timeout(limitMs) });
    if (response.ok) return response.json();
    await response.body?.cancel();
    if (performance.now() > deadline) {
      throw new Error(`no agent here has the id ${id}: name one that is here with --default-agent or DEFAULT_AGENT`);
    }
    await sleep(POLL_MS);
  }
}

/**
 * What the agent itself gives as an example, for whoever wants to try it.
 * @param {{ skills?: readonly { examples?: readonly string[] }[] }} card
 */
export function firstWordsFor({ skills = [] }) {
  return skills.flatMap(({ examples = [] }) => examples)[0] ?? 'Hello';
}
