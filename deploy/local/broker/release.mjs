import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { binaryIn, unpackTarGz, unpackZip } from './archive.mjs';
import { WANTED } from './version.mjs';

const RELEASE = `https://github.com/nats-io/nats-server/releases/download/v${WANTED}`;
const FIRST_BYTE_MS = 10_000;
const WHOLE_MS = 300_000;

const OS = { linux: 'linux', darwin: 'darwin' };
const ARCH = { x64: 'amd64', arm64: 'arm64' };

/**
 * Fetches the project's own release, checked against the sums published with it.
 * @param {string} dir
 * @param {string} [release] where its files are
 */
export async function fetchRelease(dir, release = RELEASE) {
  const sums = sumsIn(await (await open(`${release}/SHA256SUMS`)).text());
  const name = [`${stem()}.tar.gz`, `${stem()}.zip`].find((candidate) => sums.has(candidate));
  if (!name) throw new Error(`the release lists no archive ${stem()}`);

  const archive = join(dir, name);
  await download(`${release}/${name}`, archive);
  const sum = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  if (sum !== sums.get(name)) throw new Error(`${name} has SHA-256 ${sum}, but the release says ${sums.get(name)}`);

  const unpacked = join(dir, 'unpacked');
  await mkdir(unpacked);
  await (name.endsWith('.zip') ? unpackZip(archive, unpacked) : unpackTarGz(archive, unpacked));
  return binaryIn(unpacked);
}

function stem() {
  const os = OS[process.platform];
  const arch = ARCH[process.arch];
  if (!os || !arch) throw new Error(`no release is fetched for ${process.platform} on ${process.arch}`);
  return `nats-server-v${WANTED}-${os}-${arch}`;
}

/** @param {string} text lines of `<sum>  <name>` */
function sumsIn(text) {
  const pairs = text.split('\n').map((line) => line.trim().split(/\s+\*?/));
  return new Map(pairs.filter((pair) => pair.length === 2).map(([sum, name]) => [name, sum]));
}

/**
 * @param {string} url
 * @param {string} file
 */
async function download(url, file) {
  const response = await open(url);
  await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), createWriteStream(file));
}

/**
 * Answers once the head is there: offline this must fail in seconds, but a slow line may take its time.
 * @param {string} url
 */
async function open(url) {
  const headless = new AbortController();
  const timer = setTimeout(() => headless.abort(), FIRST_BYTE_MS);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([headless.signal, AbortSignal.timeout(WHOLE_MS)]) });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return response;
  } catch (error) {
    if (headless.signal.aborted)
      throw new Error(`${new URL(url).host} did not answer within ${FIRST_BYTE_MS / 1000} s`);
    throw error.cause
      ? new Error(`${new URL(url).host} cannot be reached: ${error.cause.message}`, { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
  }
}
