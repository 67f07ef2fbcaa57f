import { APP_PORTS, urlOf } from './apps.mjs';
import { DATA_DIR } from './paths.mjs';
import { askedPort } from './ports.mjs';
import { currentRun } from './run-lock.mjs';

const LIMIT_MS = 2_000;
const DEFAULT_AGENT = 'Trip planner';

/** The gateway of a Tidemark that already runs here, or undefined. */
export async function runningGateway() {
  const { gateway } = (await currentRun(DATA_DIR)) ?? {};
  for (const url of [gateway, urlOf(askedPort(process.env.PORT) ?? APP_PORTS.gateway)]) {
    if (url && (await isTidemark(url))) return url;
  }
  return undefined;
}

/**
 * Whether what answers there is a Tidemark, and ready: many another server says 200 to whatever it is asked.
 * @param {string} baseUrl
 */
export async function isTidemark(baseUrl) {
  const [readiness, card] = await Promise.all(
    ['readyz', '.well-known/agent-card.json'].map((path) => jsonAt(`${baseUrl}/${path}`)),
  );
  return readiness?.status === 'ok' && card?.name === DEFAULT_AGENT;
}

/** @param {string} url */
async function jsonAt(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
    return await response.json();
  } catch {
    return undefined;
  }
}
