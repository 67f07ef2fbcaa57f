import { freePort } from '@tidemark/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, said } from './client';
import { Identities } from './identities';
import { Project, ROOT } from './project';

const TIDEMARK = `node ${join(ROOT, 'deploy/local/tidemark.mjs')}`;
const START = `${TIDEMARK} start`;
const READY = 'Ctrl-C ends it';

/** Each test starts the whole system, some more than once. */
jest.setTimeout(300_000);

const project = new Project();
let identities: Identities;

beforeAll(async () => {
  identities = await Identities.create();
  mkdirSync(project.folder);
});

afterAll(async () => {
  await project.remove();
  identities.forget();
});

describe('the launcher, with settings of its user', () => {
  afterEach(() => project.interrupt());

  it('serves callers with credentials, without gRPC, and once', async () => {
    const key = identities.apiKey({ id: 'mine', tenant: 'acme', principal: 'alice' });
    const port = String(await freePort());
    const env = { ...identities.env, PORT: port, GRPC: 'false', HOST: '0.0.0.0', PUBLIC_URL: '' };
    const running = await project.start(START, { words: READY, env });
    expect(running.output()).toContain(`gateway   http://127.0.0.1:${port}\n`);
    expect(running.output()).toContain('grpc      off, as GRPC says');
    expect(running.output()).toContain('HOST (0.0.0.0) is not used');
    expect(running.output()).toContain('callers must identify themselves, so no conversation is held');
    expect(running.output()).toContain('-H "Authorization: Bearer $TOKEN"');

    const reply = await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
    const { supportedInterfaces: served } = (await reply.json()) as { supportedInterfaces: { url: string }[] };
    expect(new Set(served.map(({ url }) => new URL(url).origin))).toEqual(new Set([`http://127.0.0.1:${port}`]));
    const client = new Client(`http://127.0.0.1:${port}/agents/echo`, { 'x-api-key': key });
    expect((await client.send(said('hi'))).status.state).toBe('TASK_STATE_COMPLETED');

    const second = await project.sh(START, { env: { PORT: '' } });
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Tidemark is running already at http')]);
    await running.interrupt();
    expect(running.output()).toContain('Stopped.');
  });

  it('speaks gRPC where it is told to', async () => {
    const grpcPort = String(await freePort());
    const env = { PORT: String(await freePort()), GRPC_PORT: grpcPort };
    const running = await project.start(`${START} --default-agent echo`, { words: READY, env });
    expect(running.output()).toContain(`grpc      127.0.0.1:${grpcPort}\n`);
    const card = await (await fetch(`http://127.0.0.1:${env.PORT}/.well-known/agent-card.json`)).text();
    expect(card).toContain(`"127.0.0.1:${grpcPort}"`);
    await running.interrupt();
    expect(running.output()).toContain('Stopped.');
  });
});

describe('the demo', () => {
  it('says that it has no credentials where they are asked for', async () => {
    const env = { ...identities.env, PORT: String(await freePort()) };
    const { code, stderr } = await project.sh(`node ${join(ROOT, 'deploy/local/demo.mjs')}`, { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\nThe gateway at http:\S+ asks its callers for credentials, and the demo has none: .*\.\n$/m,
    );
  });
});

describe('an agent that is renamed', () => {
  const own = new Project('renaming');
  const AGENTS = '--agents ./agent.mjs --no-samples';
  let port: string;

  beforeAll(async () => {
    mkdirSync(own.folder);
    port = String(await freePort());
  });

  afterEach(() => own.interrupt());

  afterAll(() => own.remove());

  const write = (id: string): void => writeFileSync(join(own.folder, 'agent.mjs'), moduleOf(id));
  const start = (args: string) => own.start(`${START} ${args}`, { words: READY, env: { PORT: port, GRPC: 'false' } });
  const served = async (): Promise<Served> => {
    const { defaultAgent, agents } = (await (await fetch(`http://127.0.0.1:${port}/agents`)).json()) as Directory;
    return { defaultAgent, ids: agents.map(({ id }) => id) };
  };

  it('is alone, and at the root, without being named', async () => {
    write('poet');
    const running = await start(AGENTS);
    expect(await served()).toEqual({ defaultAgent: 'poet', ids: ['poet'] });
    await running.interrupt();
  });

  it('is missed by whoever still names it, and can be taken off', async () => {
    write('painter');
    const running = await start(`${AGENTS} --default-agent poet`);
    expect(running.output()).toContain('nobody here hosts the agent at the root, poet, which --default-agent names');
    expect(running.output()).toContain('hosted by nobody here: poet');

    const { stdout } = await own.sh(`${TIDEMARK} agents`);
    expect(stdout).toMatch(/^painter: painter 1\.2\.3, announced \S+Z, hosted: yes\npoet: poet 1.*, hosted: no\n$/);
    const { code } = await own.sh(`${TIDEMARK} agents remove poet`);
    expect(code).toBe(0);
    while ((await served()).ids.includes('poet'));
    expect((await served()).ids).toEqual(['painter']);

    for (const [line, status, message] of REFUSALS) {
      const refused = await own.sh(`${TIDEMARK} ${line}`);
      expect([line, refused.code, refused.stderr.split('\n')[0]]).toEqual([line, status, `tidemark: ${message}`]);
    }
    await running.interrupt();
  });

  it('is asked for in vain on a fresh start, which says whom there is', async () => {
    const env = { PORT: port, GRPC: 'false' };
    const { code, stderr } = await own.sh(`${START} ${AGENTS} --default-agent poet`, { env });
    expect(code).toBe(1);
    expect(stderr).toContain('no agent here has the id poet, which --default-agent names; there is: painter');
  });
});

type Directory = { readonly defaultAgent: string; readonly agents: readonly { readonly id: string }[] };
type Served = { readonly defaultAgent: string; readonly ids: readonly string[] };

const HOSTED = 'is hosted now (yes): its executor would announce it again at its next start or reconnect.';

const REFUSALS = [
  ['agents remove poet', 1, 'there is no agent poet; there are: painter'],
  ['agents remove painter', 1, `painter ${HOSTED} End that executor first, or say --force`],
  ['agents remove a.b', 2, 'agents: the id of an agent is 1 to 64 of A-Z a-z 0-9 _ -'],
  ['agents forget', 2, 'agents: the action must be remove, or none to see the agents'],
  ['webhooks constructor', 2, 'webhooks: the action must be one of parked, list, redeliver'],
  ['webhooks list none', 1, 'there is no task none in the tenant default: --tenant names another one'],
  ['authorize none --by olivia', 1, 'there is no task none in the tenant default: --tenant names another one'],
  ['constructor', 2, 'there is no command constructor'],
] as const;

const moduleOf = (id: string): string => `export const agent = {
  profile: {
    id: '${id}', name: '${id}', description: 'Does things', version: '1.2.3',
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
    skills: [{ id: 'do', name: 'Do', description: 'Does it', tags: ['things'] }],
  },
  async *run() {},
};`;
