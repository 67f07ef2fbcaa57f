import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { anyFreePort } from './ports.mjs';
import { STAGE } from './processes.mjs';
import { whenReady } from './readiness.mjs';

/** In the order in which they are started, with the ports that they have unless somebody else is there. */
export const APP_PORTS = { gateway: 8080, executor: 8081, projector: 8082, notifier: 8083 };

/** Where the gateway speaks gRPC unless somebody else is there. */
export const GRPC_PORT = 50_051;

/** @typedef {Record<keyof typeof APP_PORTS, number>} Ports */

/**
 * Starts the apps and answers once each says that it is ready. Their modules of agents are those of `folder`.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{
 *   natsUrl: string, ports: Ports, grpcPort?: number, dataDir: string, keysFile?: string, root?: string, folder?: string,
 *   env?: NodeJS.ProcessEnv,
 * }} options
 */
export async function startApps(processes, options) {
  const { natsUrl, ports, dataDir, keysFile, root = ROOT, folder = root, env = process.env } = options;
  const grpcPort = options.grpcPort ?? (await anyFreePort());
  const started = Object.entries(ports).map(async ([name, port]) => {
    const program = {
      name,
      command: process.execPath,
      args: [join(root, 'dist', 'apps', name, 'main.js')],
      cwd: folder,
      env: {
        ...env,
        PUBLIC_URL: env.PUBLIC_URL || urlOf(ports.gateway),
        ...settingsOf(name, { natsUrl, port, grpcPort, dataDir, keysFile }),
      },
      logFile: join(dataDir, 'logs', `${name}.log`),
      port,
      ready: (child) => whenReady(child, urlOf(port)),
    };
    await processes.start(program, STAGE.app);
  });
  await Promise.all(started);
}

/** @param {number} port */
export function urlOf(port) {
  return `http://127.0.0.1:${port}`;
}

/**
 * Loopback only: a Tidemark without authentication is for this machine.
 * @param {string} name
 * @param {{ natsUrl: string, port: number, grpcPort: number, dataDir: string, keysFile?: string }} options
 */
function settingsOf(name, { natsUrl, port, grpcPort, dataDir, keysFile }) {
  const settings = {
    NATS_URL: natsUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(keysFile && { KEYS_FILE: keysFile }),
  };
  if (name === 'gateway') return { ...settings, GRPC_PORT: String(grpcPort) };
  return name === 'projector' ? { ...settings, INDEX_PATH: join(dataDir, 'index', 'tasks.sqlite') } : settings;
}
