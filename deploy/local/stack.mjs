import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startApps, urlOf } from './apps.mjs';
import { ensureKeys } from './keys.mjs';
import { startNats } from './nats.mjs';

/**
 * Starts the broker, unless it is somebody else's, and the apps on it.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{
 *   broker: import('./broker.mjs').Broker, natsPort: number, ports: import('./apps.mjs').Ports, grpcPort?: number,
 *   dataDir: string, step: import('./steps.mjs').Step, folder?: string, env?: NodeJS.ProcessEnv,
 * }} options
 * @returns {Promise<{ gateway: string, natsUrl: string }>}
 */
export async function startStack(processes, { broker, natsPort, ports, grpcPort, dataDir, step, folder, env }) {
  await mkdir(join(dataDir, 'index'), { recursive: true });
  const keysFile = await ensureKeys(dataDir, env);
  const natsUrl = broker.kind === 'external' ? broker.url : await startOwn(broker.path);

  await step('apps', async (note) => {
    await startApps(processes, { natsUrl, ports, grpcPort, dataDir, keysFile, folder, env });
    note(
      Object.entries(ports)
        .map(([name, port]) => `${name} :${port}`)
        .join(', '),
    );
  });
  return { gateway: urlOf(ports.gateway), natsUrl };

  /** @param {string} binary */
  function startOwn(binary) {
    return step('nats-server', async (note) => {
      const { url } = await startNats(processes, { binary, dataDir, port: natsPort });
      note(url);
      return url;
    });
  }
}
