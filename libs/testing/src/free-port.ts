import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that a system gives to connections. One of these would be taken by any connection that is made before
 * its server listens, or while that server is down: also by the client that tries to reach it, which then meets itself.
 */
const FROM = 20_000;
const TO = 32_000;

/** What this process was given, so that it is not given to another before it is listened on. */
const given = new Set<number>();

/** A port on loopback that nobody listens on, and that nobody else in this process was given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (given.has(port)) continue;
    given.add(port);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer().once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });
}
