import { run } from '../command.mjs';

/** The release that is fetched when no server is found. */
export const WANTED = '2.15.1';

const MINIMUM = { major: 2, minor: 14 };

export const WHY_MINIMUM =
  `Tidemark needs nats-server >= ${MINIMUM.major}.${MINIMUM.minor}: an older one silently ignores the header ` +
  'that the concurrency control of its log depends on';

/**
 * The version in what a server says of itself (`nats-server: v2.15.1`), or undefined.
 * @param {string} text
 */
export function versionOf(text) {
  return /\bv?(\d+\.\d+\.\d+)\b/.exec(text)?.[1];
}

/** @param {string | undefined} version */
export function isNewEnough(version) {
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (!Number.isInteger(major) || !Number.isInteger(minor)) return false;
  return major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor);
}

/**
 * Runs the binary, and gives its version if it is one that can be used.
 * @param {string} binary
 */
export async function acceptedVersion(binary) {
  const { output } = await run(binary, ['--version'], { limitMs: 10_000 });
  const version = versionOf(output);
  if (!isNewEnough(version)) throw new Error(`${binary} is ${version ?? 'of an unknown version'}; ${WHY_MINIMUM}`);
  return /** @type {string} */ (version);
}
