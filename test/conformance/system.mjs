import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { APP_PORTS, startApps } from '../../deploy/local/apps.mjs';
import { startNats } from '../../deploy/local/nats.mjs';
import { ROOT } from '../../deploy/local/paths.mjs';
import { anyFreePort } from '../../deploy/local/ports.mjs';

/**
 * What a system is started from.
 * @typedef {{ processes: import('../../deploy/local/processes.mjs').Processes, dataDir: string, binary: string }} Place
 *
 * A Tidemark that serves one agent at its root. `url` has a name and no address, as the cards of public agents do.
 * @typedef {{ url: string, card: Card, stop: () => Promise<void> }} System
 * @typedef {{ supportedInterfaces: readonly Interface[], capabilities: Record<string, any> }} Card
 * @typedef {{ url: string, protocolBinding: string, protocolVersion: string }} Interface
 */

const APPS = Object.keys(APP_PORTS);
const MODULES = ['tck'].map((name) => join(ROOT, 'dist', 'deploy', 'examples', 'agents', `${name}.js`));

/**
 * Starts the broker and every app afresh: with their own ports and store, which `stop` removes.
 * @param {Place} place
 * @param {{ agent: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<System>}
 */
export async function startSystem({ processes, dataDir, binary }, { agent, env = {} }) {
  const dir = join(dataDir, randomUUID().slice(0, 8));
  await mkdir(join(dir, 'index'), { recursive: true });
  const children = [];
  const start = (program, stage) => processes.start({ ...program, ready: noting(program.ready, children) }, stage);
  const stop = async () => {
    for (const child of children.toReversed()) child.kill('SIGTERM');
    await Promise.all(children.map(({ exited }) => exited));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const { url: natsUrl } = await startNats({ start }, { binary, dataDir: dir, port: await anyFreePort() });
    const grpcPort = await anyFreePort();
    const ports = Object.fromEntries(await Promise.all(APPS.map(async (name) => [name, await anyFreePort()])));
    const url = `http://localhost:${ports.gateway}`;
    const named = { GRPC_PUBLIC_ADDRESS: `localhost:${grpcPort}` };
    const settings = { ...(await settingsOf(dir, { agent, url })), ...named, ...env };
    await startApps({ start }, { natsUrl, ports, grpcPort, dataDir: dir, env: { ...process.env, ...settings } });
    return { url, card: await cardAt(url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Noted before it is ready, so that one that never gets there is ended as well. */
const noting = (ready, children) => async (child) => {
  children.push(child);
  await ready?.(child);
};

/**
 * Webhooks of the kits listen on this machine, which no deployment would allow.
 * @param {string} dir
 * @param {{ agent: string, url: string }} options
 */
async function settingsOf(dir, { agent, url }) {
  const { formatKeyFile, withNewKeys } = await import(join(ROOT, 'dist', 'libs', 'keys', 'src', 'index.js'));
  const keysFile = join(dir, 'keys.json');
  await writeFile(keysFile, formatKeyFile(await withNewKeys()), { mode: 0o600 });
  return {
    AGENT_MODULES: MODULES.join(','),
    DEFAULT_AGENT: agent,
    PUBLIC_URL: url,
    KEYS_FILE: keysFile,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    CONCURRENCY: '1000',
    LOG_LEVEL: 'warn',
  };
}

/** @param {string} url */
async function cardAt(url) {
  const reply = await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '1.0' } });
  if (!reply.ok) throw new Error(`${url} serves no agent card: ${reply.status} ${await reply.text()}`);
  return reply.json();
}
