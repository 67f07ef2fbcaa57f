import { readFile } from 'node:fs/promises';
import { acceptedVersion } from '../../deploy/local/broker/version.mjs';
import { machine, syncMs } from './machine.mjs';
import { shown } from './statistics.mjs';
import { SYSTEMS } from './systems.mjs';

const PEER = new URL('../../node_modules/@a2a-js/sdk/package.json', import.meta.url);

/**
 * What was run on what, and how: a number without it means nothing.
 * @param {import('./scenarios.mjs').Settings} settings
 * @param {{ binary: string, dataDir: string }} bench
 */
export async function headerLines({ rounds, seconds, warmUpSeconds, connections, tasks }, { binary, dataDir }) {
  const { version: peer } = JSON.parse(await readFile(PEER, 'utf8'));
  return [
    `machine: ${machine()}; a 4 KB fdatasync takes ${shown(await syncMs(dataDir))} ms`,
    `versions: node ${process.versions.node}, nats-server ${await acceptedVersion(binary)}, @a2a-js/sdk ${peer}`,
    `load: ${rounds} rounds, ${connections} connections, ${tasks} tasks made first, then ${warmUpSeconds} s to warm up and ${seconds} s measured`,
    ...SYSTEMS.map(({ name, durability }) => `${name}: ${durability}`),
  ];
}
