import { join } from 'node:path';
import { run } from '../../deploy/local/command.mjs';
import { ROOT } from '../../deploy/local/paths.mjs';
import { cached, madeOnce, pythonWith } from '../conformance/cache.mjs';

const REPOSITORY = 'https://github.com/a2aproject/a2a-tck';
const GIT_MS = 300_000;

/**
 * One of the two compatibility kits that live in the same repository, at the commit that the counts are for.
 * @typedef {{ name: string, commit: string, branch: string, command: (run: KitRun) => readonly string[],
 *   transports: Readonly<Record<string, string>> }} Kit
 * @typedef {{ url: string, transports: readonly string[], select: readonly string[], token?: string }} KitRun
 * @typedef {Kit & { dir: string, python: string }} ReadyKit
 */

/** The kit for A2A 1.0; `transports` are its names of the bindings that a card lists. @type {Kit} */
export const KIT_1_0 = {
  name: '1.0',
  branch: '1.0-dev',
  commit: '357c4a8',
  transports: { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'http_json', GRPC: 'grpc' },
  command: ({ url, transports, select }) => [
    'tests/compatibility',
    `--sut-host=${url}`,
    `--transport=${transports.join(',')}`,
    ...select,
  ],
};

/** The older kit; it speaks a draft of 1.0, though it says 0.3. @type {Kit} */
export const KIT_MAIN = {
  name: 'main',
  branch: 'main',
  commit: '410ba92',
  transports: { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'rest' },
  command: ({ url, transports, select }) => [
    `--sut-url=${url}`,
    '--test-scope=all',
    `--transports=${transports.join(',')}`,
    ...select,
  ],
};

/**
 * The kit with all that it needs to run. Nothing in it is changed.
 * @param {Kit} kit
 * @returns {Promise<ReadyKit>}
 */
export async function readyKit(kit) {
  const repository = process.env.TCK_REPOSITORY || REPOSITORY;
  const dir = await madeOnce(cached('tck', kit.commit), async (draft) => {
    await git(['clone', '--quiet', '--no-checkout', '--branch', kit.branch, repository, draft]);
    await git(['-C', draft, 'checkout', '--quiet', kit.commit]);
  });
  return { ...kit, dir, python: await pythonWith(join(ROOT, 'test', 'tck', `requirements-${kit.name}.txt`)) };
}

/** @param {readonly string[]} args */
async function git(args) {
  try {
    await run('git', args, { limitMs: GIT_MS });
  } catch (error) {
    error.message +=
      '\nTCK_REPOSITORY can name another place to clone the kits from, such as a folder of this machine.';
    throw error;
  }
}
