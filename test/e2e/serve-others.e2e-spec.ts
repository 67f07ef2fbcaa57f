import { formatKeyFile, newApiKey, withNewKeys } from '@tidemark/keys';
import type { AgentCard } from '@tidemark/protocol';
import { startNats, type TestNats } from '@tidemark/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument, sectionOf } from '../docs/markdown';
import { snippetsIn } from '../docs/snippets';
import { type AppName, AppProcess } from './app-process';
import { Client, said } from './client';
import { example } from './system';

type Env = Readonly<Record<string, string>>;

/** An example stands in for the agent of a project. */
const AGENT = 'riddle';
const PUBLIC_URL = 'https://agents.example.com';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-serve-others-'));
const { key, entry } = newApiKey({
  ...{ id: 'partner', tenant: 'partner', principal: 'their-service' },
  agents: [AGENT],
});
const apps = new Map<string, AppProcess>();
let nats: TestNats;

const commands = (snippetsIn(sectionOf(readDocument('docs/guides/serve-others.md'), '## The apps'), 'sh')[0] ?? '')
  .replaceAll('\\\n', ' ')
  .split('\n');

const assignmentsIn = (text: string): Env =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name ?? '', made(value ?? '')]));

const made = (value: string): string =>
  value.replace('$DATA', folder).replace('../my-agent/dist/agent.js', example(AGENT)).replace('my-agent', AGENT);

beforeAll(async () => {
  nats = await startNats();
  writeFileSync(join(folder, 'keys.json'), formatKeyFile(await withNewKeys()));
  writeFileSync(join(folder, 'api-keys.json'), JSON.stringify({ keys: [entry] }));
  const common = assignmentsIn(commands.filter((line) => line.startsWith('export ')).join(' '));
  for (const line of commands) {
    const name = /node dist\/apps\/(\w+)\/main\.js$/.exec(line)?.[1];
    if (!name) continue;
    const env = { ...common, ...assignmentsIn(line), NATS_URL: nats.url, LOG_LEVEL: 'warn' };
    apps.set(name, await AppProcess.start(name as AppName, env));
  }
});

afterAll(async () => {
  await Promise.all([...apps.values()].map((app) => app.end()));
  await nats.stop();
  rmSync(folder, { recursive: true, force: true });
});

const gateway = (): string => apps.get('gateway')?.url ?? '';
const json = async <T>(path: string): Promise<T> => (await (await fetch(`${gateway()}${path}`)).json()) as T;

describe('docs/guides/serve-others.md', () => {
  it('starts every app, each of them with settings that it takes', () => {
    expect([...apps.keys()].sort()).toEqual(['executor', 'gateway', 'notifier', 'projector']);
  });

  it('shows the agent that is offered, and no sample', async () => {
    const { agents } = await json<{ agents: { id: string; url: string }[] }>('/agents');
    expect(agents).toEqual([expect.objectContaining({ id: AGENT, url: `${PUBLIC_URL}/agents/${AGENT}` })]);
  });

  it('has a card that leads others to the public addresses, says which credentials count, and is signed', async () => {
    const card = await json<AgentCard & { signatures: unknown[] }>('/.well-known/agent-card.json?A2A-Version=1.0');
    const addresses = card.supportedInterfaces.map(({ url }) => url);
    expect([...new Set(addresses)]).toEqual([`${PUBLIC_URL}/`, PUBLIC_URL, 'agents.example.com:443']);
    expect([Object.keys(card.securitySchemes ?? {}), card.signatures.length]).toEqual([['apiKey'], 1]);
    expect(card.capabilities.pushNotifications).toBe(true);
  });

  it('answers whoever has the key, and nobody else', async () => {
    const task = await new Client(gateway(), { 'x-api-key': key }).send(said('hello'));
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await new Client(gateway()).raw('{}')).status).toBe(401);
  });
});
