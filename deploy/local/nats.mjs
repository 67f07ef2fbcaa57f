import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverInfo } from './broker/info.mjs';
import { stillRuns } from './process-table.mjs';
import { STAGE } from './processes.mjs';

const START_MS = 60_000;
/** A launcher that was killed leaves a server that is on its way out; this is how long that may take. */
const LEAVE_MS = 15_000;

/**
 * When what the server has acknowledged is on disk: `always` before the acknowledgement, `default` within two minutes.
 * @typedef {'always' | 'default'} Flush
 */

/**
 * Starts nats-server on loopback with its store in `<dataDir>/nats`, and answers once it accepts connections.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{ binary: string, dataDir: string, port: number, flush?: Flush }} options
 */
export async function startNats(processes, { binary, dataDir, port, flush = 'always' }) {
  const dir = join(dataDir, 'nats');
  await mkdir(dir, { recursive: true });
  await refuseSharedStore(dir);

  const name = `tidemark-${randomUUID().slice(0, 8)}`;
  const config = join(dir, 'nats-server.conf');
  await writeFile(config, natsConfig({ name, dir, port, flush }));
  const program = {
    name: 'nats-server',
    command: binary,
    args: ['-c', config],
    logFile: join(dataDir, 'logs', 'nats.log'),
    port,
    ready: (child) => whenListening(child, { name, port }),
  };
  const child = await processes.start(program, STAGE.broker);
  return { child, url: `nats://127.0.0.1:${port}` };
}

/** @param {{ name: string, dir: string, port: number, flush: Flush }} options */
export function natsConfig({ name, dir, port, flush }) {
  return `server_name: ${name}
listen: "127.0.0.1:${port}"
pid_file: ${JSON.stringify(pidFile(dir))}
max_payload: 8MB
max_pending: 64MB
jetstream {
  store_dir: ${JSON.stringify(join(dir, 'store'))}${flush === 'always' ? '\n  sync_interval: always' : ''}
}
`;
}

/** @param {string} dir */
const pidFile = (dir) => join(dir, 'nats-server.pid');

/**
 * nats-server itself does not notice that another one writes to the same store.
 * @param {string} dir
 */
async function refuseSharedStore(dir) {
  const pid = Number(await readFile(pidFile(dir), 'utf8').catch(() => ''));
  const deadline = performance.now() + LEAVE_MS;
  while (pid && (await stillRuns(pid, dir))) {
    if (performance.now() > deadline) {
      throw new Error(
        `the nats-server of an earlier run (process ${pid}) still uses ${dir}. End it first: kill ${pid}`,
      );
    }
    await sleep(200);
  }
}

/**
 * The name tells our server from any other that may have taken the port meanwhile.
 * @param {import('./child.mjs').Child} child
 * @param {{ name: string, port: number }} server
 */
async function whenListening(child, { name, port }) {
  const deadline = performance.now() + START_MS;
  while (child.isRunning() && performance.now() < deadline) {
    const info = await serverInfo(`127.0.0.1:${port}`).catch(() => undefined);
    if (info?.server_name === name) return;
    await sleep(50);
  }
  throw new Error(`nats-server did not start on port ${port}. Its last lines:\n${await child.lastLines()}`);
}
