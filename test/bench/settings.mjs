import { SCENARIOS } from './scenarios.mjs';

const DEFAULTS = { ROUNDS: 3, SECONDS: 3, CONNECTIONS: 32, TASKS: 10_000 };
const WARM_UP_SECONDS = 2;

/**
 * What the environment asks for.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ settings: import('./scenarios.mjs').Settings, scenarios: readonly import('./scenarios.mjs').Scenario[] }}
 */
export function parseSettings(env) {
  return {
    settings: {
      rounds: countOf(env, 'ROUNDS'),
      seconds: countOf(env, 'SECONDS'),
      connections: countOf(env, 'CONNECTIONS'),
      tasks: countOf(env, 'TASKS'),
      warmUpSeconds: WARM_UP_SECONDS,
    },
    scenarios: env.ONLY ? env.ONLY.split(',').map((name) => scenarioOf(name.trim())) : SCENARIOS,
  };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {keyof typeof DEFAULTS} name
 */
function countOf(env, name) {
  const count = Number(env[name] || DEFAULTS[name]);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`${name} must be a whole number above 0`);
}

/** @param {string} name */
function scenarioOf(name) {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  throw new Error(`ONLY: there is no scenario ${name}, only ${SCENARIOS.map(({ name }) => name).join(', ')}`);
}
