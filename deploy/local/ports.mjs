import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Below those that a system gives to connections: one of these may be taken before its server listens. */
const SUBSTITUTES = { from: 20_000, to: 32_000 };

/** What this process was given, so that it is not given to another before it is listened on. */
const given = new Set();

/**
 * The port if it is free and not promised to somebody who has not come yet, else another.
 * @param {number} wanted
 * @param {readonly number[]} [promised]
 */
export async function freePortOr(wanted, promised = []) {
  let port = wanted;
  while (promised.includes(port) || !(await isFree(port))) port = await anyFreePort();
  return port;
}

/**
 * The port that a variable asks for, or undefined.
 * @param {string | undefined} asked
 */
export function askedPort(asked, name = 'PORT') {
  if (!asked) return undefined;
  const port = /^\d+$/.test(asked) ? Number(asked) : 0;
  if (port < 1 || port > 65_535) throw new Error(`${name} must be a whole number from 1 to 65535; it is "${asked}"`);
  return port;
}

/**
 * One that is free, and that nobody else in this process was given.
 * @returns {Promise<number>}
 */
export async function anyFreePort() {
  for (;;) {
    const port = randomInt(SUBSTITUTES.from, SUBSTITUTES.to);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/**
 * Both questions are needed: some systems let one listen on loopback beside a server on all addresses.
 * @param {number} port
 */
export async function isFree(port) {
  return !(await answers(port)) && (await canListen(port));
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port, timeout: 1_000 });
    const settle = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .on('connect', () => settle(true))
      .on('timeout', () => settle(true))
      .on('error', () => settle(false));
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function canListen(port) {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
