import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLine, run } from '../command.mjs';
import { binaryIn } from './archive.mjs';
import { isNewEnough, versionOf, WHY_MINIMUM } from './version.mjs';

/** By what they are, not by code name, so that this stays true after the next release. Cheapest index first. */
const SUITES = ['stable-backports', 'testing', 'unstable'];

const KEYRINGS = ['/usr/share/keyrings/debian-archive-keyring.pgp', '/usr/share/keyrings/debian-archive-keyring.gpg'];

/**
 * Fetches Debian's package from the mirror that this machine uses and unpacks it. apt checks the signatures; its lists
 * and cache are private to this call, so that the system's stay as they are and no privilege is needed.
 * @param {string} dir
 */
export async function fetchDebian(dir) {
  if (!existsSync('/etc/debian_version')) throw new Error('this is no Debian system');
  await mkdir(join(dir, 'lists', 'partial'), { recursive: true });
  await mkdir(join(dir, 'cache', 'archives', 'partial'), { recursive: true });
  await writeFile(join(dir, 'status'), '');

  const mirror = await mirrorOf(dir);
  const refusals = [];
  for (const suite of SUITES) {
    try {
      return await fetchFrom({ dir, mirror, suite });
    } catch (error) {
      refusals.push(`${suite}: ${error.message}`);
    }
  }
  throw new Error(refusals.join('; '));
}

/**
 * apt says where it would look without looking there; security and other vendors' archives end otherwise.
 * @param {string} dir
 */
async function mirrorOf(dir) {
  const { stdout } = await run('apt-get', [...privately(dir), 'update', '--print-uris'], { limitMs: 20_000 });
  const mirror = /^'([^']+\/debian)\/dists\//m.exec(stdout)?.[1];
  if (!mirror) throw new Error('the package sources of this machine name no Debian mirror');
  return mirror;
}

/** @param {{ dir: string, mirror: string, suite: string }} source */
async function fetchFrom({ dir, mirror, suite }) {
  const sources = join(dir, 'sources.list');
  const keyring = KEYRINGS.find(existsSync);
  await writeFile(sources, `deb ${keyring ? `[signed-by=${keyring}] ` : ''}${mirror} ${suite} main\n`);
  const options = [...privately(dir), '-o', `Dir::Etc::SourceList=${sources}`, '-o', 'Dir::Etc::SourceParts=/dev/null'];

  await apt('apt-get', [...options, 'update', '--error-on=any']);
  const policy = await apt('apt-cache', [...options, 'policy', 'nats-server']);
  const candidate = /Candidate: (?:\d+:)?(\S+)/.exec(policy.stdout)?.[1];
  if (!candidate) throw new Error('has no nats-server');
  if (!isNewEnough(versionOf(candidate))) throw new Error(`has ${candidate}; ${WHY_MINIMUM}`);

  await apt('apt-get', [...options, 'download', 'nats-server'], dir);
  const deb = (await readdir(dir)).find((file) => file.endsWith('.deb'));
  const unpacked = join(dir, 'unpacked');
  await run('dpkg-deb', ['-x', join(dir, /** @type {string} */ (deb)), unpacked], { limitMs: 60_000 });
  return binaryIn(unpacked);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
async function apt(command, args, cwd) {
  try {
    return await run(command, args, { cwd, limitMs: 180_000 });
  } catch (error) {
    const reason = /^E: (.*)$/m.exec(error.output)?.[1] ?? lastLine(error.output);
    throw new Error(reason || error.message, { cause: error });
  }
}

/** @param {string} dir */
function privately(dir) {
  const settings = [
    `Dir::State::Lists=${join(dir, 'lists')}`,
    `Dir::State::Status=${join(dir, 'status')}`,
    `Dir::Cache=${join(dir, 'cache')}`,
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
    'Acquire::Retries=0',
    'Acquire::http::Timeout=10',
    'Acquire::https::Timeout=10',
  ];
  return ['-q', ...settings.flatMap((setting) => ['-o', setting])];
}
