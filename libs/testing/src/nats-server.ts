import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port';

export type NatsOptions = {
  /** How the store is flushed; `always` as in production, `default` where a test writes a lot. */
  readonly sync?: 'always' | 'default';
};

/** A real nats-server on a free port, with a store of its own that goes with it. */
export type TestNats = {
  readonly url: string;
  readonly port: number;
  /** Ends the server as a crash would; the store stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and store. */
  start(): Promise<void>;
  /** Ends it and removes the store. */
  stop(): Promise<void>;
};

export async function startNats({ sync = 'default' }: NatsOptions = {}): Promise<TestNats> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'tidemark-nats-'));
  const config = join(directory, 'nats.conf');
  writeFileSync(config, configOf(port, directory, sync));
  let server = await launchServer(config);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    kill: () => server.end('SIGKILL'),
    start: async () => void (server = await launchServer(config)),
    stop: async () => {
      await server.end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const configOf = (port: number, directory: string, sync: 'always' | 'default'): string => `
listen: 127.0.0.1:${port}
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(directory)}${sync === 'always' ? ', sync_interval: always' : ''} }
`;

/** The program: `NATS_SERVER_BIN`, or what `npm start` would use. */
export function serverBinary(): string {
  const finder = resolve(__dirname, '../../../deploy/local/broker.mjs');
  return process.env['NATS_SERVER_BIN'] ?? execFileSync(process.execPath, [finder], { encoding: 'utf8' }).trim();
}

/** A server with a configuration file, once it is ready for clients. */
export type RunningServer = { end(signal: NodeJS.Signals): Promise<void> };

export function launchServer(config: string): Promise<RunningServer> {
  const server = spawn(serverBinary(), ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((ready, failed) => {
    let log = '';
    server.once('exit', (code) => failed(new Error(`nats-server ended with ${code}:\n${log}`)));
    server.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-8_000);
      if (log.includes('Server is ready')) ready({ end: (signal) => end(server, signal) });
    });
  });
}

function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((ended) => {
    server.once('exit', () => ended());
    server.kill(signal);
  });
}
