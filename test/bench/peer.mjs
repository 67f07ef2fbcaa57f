import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { urlOf } from '../../deploy/local/apps.mjs';
import { anyFreePort } from '../../deploy/local/ports.mjs';
import { STAGE } from '../../deploy/local/processes.mjs';
import { whenReady } from '../../deploy/local/readiness.mjs';

const SERVER = fileURLToPath(new URL('./peer/server.mjs', import.meta.url));

/**
 * A server made with the published `@a2a-js/sdk` on express.
 * @param {import('./systems.mjs').Place} place
 * @param {'memory' | 'sqlite'} store
 * @returns {Promise<import('./systems.mjs').Endpoints>}
 */
export async function startPeer({ start, dir }, store) {
  const port = await anyFreePort();
  const program = {
    name: 'server',
    command: process.execPath,
    args: [SERVER],
    env: { ...process.env, PORT: String(port), STORE: store, STORE_FILE: join(dir, 'tasks.sqlite') },
    logFile: join(dir, 'logs', 'server.log'),
    ready: (child) => whenReady(child, urlOf(port)),
  };
  await start(program, STAGE.app);
  const agents = `${urlOf(port)}/agents`;
  return { echo: `${agents}/echo`, waiter: { url: `${agents}/waiter`, parts: [{ text: 'wait' }] }, serving: 'server' };
}
