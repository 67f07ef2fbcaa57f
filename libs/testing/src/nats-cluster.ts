import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { launchServer, type RunningServer } from './nats-server';

/** Three nats-servers that keep streams in three copies. */
export type TestCluster = {
  readonly urls: readonly string[];
  /** Ends the server with this name as a crash would. */
  kill(name: string): Promise<void>;
  start(name: string): Promise<void>;
  stop(): Promise<void>;
};

const NAMES = ['n1', 'n2', 'n3'] as const;

export async function startNatsCluster(): Promise<TestCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'tidemark-cluster-'));
  const ports = await Promise.all(NAMES.map(async () => ({ client: await freePort(), route: await freePort() })));
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(', ');
  const configs = new Map<string, string>();
  for (const [index, name] of NAMES.entries()) {
    const config = join(directory, `${name}.conf`);
    const { client, route } = ports[index]!;
    writeFileSync(config, configOf({ name, client, route, routes, store: join(directory, name) }));
    configs.set(name, config);
  }
  const servers = new Map<string, RunningServer>();
  const start = async (name: string): Promise<void> => void servers.set(name, await launchServer(configs.get(name)!));
  await Promise.all(NAMES.map(start));
  return {
    urls: ports.map(({ client }) => `nats://127.0.0.1:${client}`),
    kill: async (name) => servers.get(name)?.end('SIGKILL'),
    start,
    stop: async () => {
      await Promise.all([...servers.values()].map((server) => server.end('SIGKILL')));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Member = {
  readonly name: string;
  readonly client: number;
  readonly route: number;
  readonly routes: string;
  readonly store: string;
};

const configOf = ({ name, client, route, routes, store }: Member): string => `
server_name: ${name}
listen: 127.0.0.1:${client}
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(store)} }
cluster { name: test, listen: 127.0.0.1:${route}, routes: [${routes}] }
`;
