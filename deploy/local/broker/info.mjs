import { connect } from 'node:net';

const LONGEST_INFO = 64 * 1024;

/**
 * What a NATS server says of itself in the `INFO {json}` line that it sends to whoever connects, before any login.
 * @param {string} address `host:port` or a URL, or several with commas, of which the first is asked
 * @param {number} [limitMs]
 * @returns {Promise<{ version: string, jetstream?: boolean, server_name?: string, port: number }>}
 */
export function serverInfo(address, limitMs = 5_000) {
  const { hostname, port } = hostOf(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port });
    const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(parseInfo(text));
      if (text.includes('\n') || text.length > LONGEST_INFO) socket.destroy();
    });
    socket.on('error', (cause) => reject(new Error(reasonOf(cause), { cause })));
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed without an INFO line'));
    });
  }).catch((cause) => {
    throw new Error(`no NATS server answers at ${hostname}:${port}: ${cause.message}`, { cause });
  });
}

/** @param {string} address */
function hostOf(address) {
  const first = address.split(',')[0].trim();
  const url = new URL(first.includes('://') ? first : `nats://${first}`);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 4222) };
}

/**
 * A name that resolves to several addresses fails with one error for each.
 * @param {any} cause
 */
function reasonOf(cause) {
  return cause.message || cause.errors?.map((/** @type {Error} */ error) => error.message).join(', ') || cause.code;
}

/** @param {string} text */
async function parseInfo(text) {
  const json = /^INFO (\{.*\})\s/.exec(text)?.[1];
  if (!json) throw new Error('what answers there is not a NATS server');
  return JSON.parse(json);
}
