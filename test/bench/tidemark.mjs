import { startApps, urlOf } from '../../deploy/local/apps.mjs';
import { startNats } from '../../deploy/local/nats.mjs';
import { anyFreePort } from '../../deploy/local/ports.mjs';

const APPS = ['gateway', 'executor', 'projector'];
const ONE_HOUR_MS = 3_600_000;

/**
 * One of each app, but no notifier: the peer delivers no push notifications either.
 * @param {import('./systems.mjs').Place} place
 * @param {import('../../deploy/local/nats.mjs').Flush} flush
 * @returns {Promise<import('./systems.mjs').Endpoints>}
 */
export async function startTidemark({ start, dir, binary }, flush) {
  const { url: natsUrl } = await startNats({ start }, { binary, dataDir: dir, port: await anyFreePort(), flush });
  const ports = Object.fromEntries(await Promise.all(APPS.map(async (name) => [name, await anyFreePort()])));
  await startApps({ start }, { natsUrl, ports, dataDir: dir });
  const agents = `${urlOf(ports.gateway)}/agents`;
  const ticker = `${agents}/ticker`;
  return {
    echo: `${agents}/echo`,
    waiter: { url: ticker, parts: [{ data: { chunks: 1, everyMs: ONE_HOUR_MS } }] },
    serving: 'gateway',
    ticker,
  };
}
