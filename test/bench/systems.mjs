import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPeer } from './peer.mjs';
import { startTidemark } from './tidemark.mjs';

/**
 * What is compared, in the order in which it is run.
 * @typedef {{ name: string, durability: string, replays: boolean, start: (place: Place) => Promise<Endpoints> }} System
 * @typedef {{ start: import('../../deploy/local/processes.mjs').Processes['start'], dir: string, binary: string }} Place
 * @typedef {{ echo: string, waiter: { url: string, parts: readonly object[] }, serving: string, ticker?: string }} Endpoints
 * @type {readonly System[]}
 */
export const SYSTEMS = [
  {
    name: 'peer-memory',
    durability: 'keeps tasks in the memory of the process: loses all of them when it ends',
    replays: false,
    start: (place) => startPeer(place, 'memory'),
  },
  {
    name: 'peer-sqlite',
    durability: 'SQLite with WAL and synchronous NORMAL: may lose the last commits on power loss',
    replays: false,
    start: (place) => startPeer(place, 'sqlite'),
  },
  {
    name: 'tidemark-always',
    durability: 'nats-server with sync_interval always: loses nothing that it has acknowledged',
    replays: true,
    start: (place) => startTidemark(place, 'always'),
  },
  {
    name: 'tidemark-default',
    durability: 'nats-server as it comes: loses up to 2 minutes on power loss, nothing on a crash of a process',
    replays: true,
    start: (place) => startTidemark(place, 'default'),
  },
];

/** @typedef {Endpoints & { pids: import('./accounting.mjs').Pids, stop: () => Promise<void> }} Running */

/**
 * Starts a system afresh: its own processes, ports and store, all of which `stop` removes.
 * @param {System} system
 * @param {{ processes: import('../../deploy/local/processes.mjs').Processes, dataDir: string, binary: string }} bench
 * @returns {Promise<Running>}
 */
export async function startSystem(system, { processes, dataDir, binary }) {
  const dir = join(dataDir, `${system.name}-${randomUUID().slice(0, 8)}`);
  const children = [];
  // Noted before it is ready, so that one that never gets there is ended as well.
  const start = (program, stage) => {
    const ready = async (child) => {
      children.push(child);
      await program.ready?.(child);
    };
    return processes.start({ ...program, ready }, stage);
  };
  // Nothing of it is kept, so nothing needs to finish.
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(({ exited }) => exited));
    await rm(dir, { recursive: true, force: true });
  };
  await mkdir(dir, { recursive: true });
  try {
    const endpoints = await system.start({ start, dir, binary });
    return { ...endpoints, pids: Object.fromEntries(children.map(({ name, pid }) => [name, pid])), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
