import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * The port if it is free and not promised to somebody who has not come yet, else another.
 * @param {number} wanted
 * @param {readonly number[]} [promised]
 */
export async function freePortOr(wanted, promised = []) {
  return !promised.includes(wanted) && (await isFree(wanted)) ? wanted : anyFreePort();
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

/** @returns {Promise<number>} */
export function anyFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, HOST, () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
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
