import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_MS = 15_000;
const KEPT_CHARACTERS = 4_000;

/** Below those that a system gives to connections: one of these may be taken while the broker is down. */
const PORTS = { from: 20_000, to: 32_000 };

/** The broker that an executor is judged on. One that is not ours cannot be restarted. */
export type Broker = {
  readonly url: string;
  /** Ends it as a crash would, and starts it again on the same store. */
  readonly restart?: () => Promise<void>;
  stop(): Promise<void>;
};

/**
 * The broker at NATS_URL, or one of our own, of the program NATS_SERVER_BIN, that goes when it is stopped.
 * @throws Error where neither is set, or the program does not start.
 */
export async function openBroker(env: Readonly<Record<string, string | undefined>>): Promise<Broker> {
  const { NATS_URL: url, NATS_SERVER_BIN: binary } = env;
  if (url) return { url, stop: async () => undefined };
  if (!binary) throw new Error('NATS_URL: name a broker, or NATS_SERVER_BIN: a nats-server to start');
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-conformance-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const port = await freePort();
  const config = join(directory, 'nats-server.conf');
  await writeFile(config, configOf(port, directory));
  let server = await launch(binary, config).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    restart: async () => {
      await end(server);
      server = await launch(binary, config);
    },
    stop: async () => {
      await end(server);
      await remove();
    },
  };
}

const configOf = (port: number, directory: string): string => `
listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(directory)} }
`;

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer().once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });
}

function launch(binary: string, config: string): Promise<ChildProcess> {
  const server = spawn(binary, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((ready, failed) => {
    let said = '';
    const late = setTimeout(() => server.kill('SIGKILL'), START_MS);
    server.once('error', failed);
    server.once('exit', () => failed(new Error(`${binary} did not start:\n${said}`)));
    server.once('close', () => clearTimeout(late));
    server.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-KEPT_CHARACTERS);
      if (!said.includes('Server is ready')) return;
      clearTimeout(late);
      ready(server);
    });
  });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
