import { freePort } from '@tidemark/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, said } from './client';
import { Identities } from './identities';
import { Project, ROOT } from './project';

const START = `node ${join(ROOT, 'deploy/local/tidemark.mjs')} start --default-agent echo`;
const READY = 'Ctrl-C ends it';

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
  it('serves callers with credentials, without gRPC, and once', async () => {
    const key = identities.apiKey({ id: 'mine', tenant: 'acme', principal: 'alice' });
    const port = String(await freePort());
    const env = { ...identities.env, PORT: port, GRPC: 'false', HOST: '0.0.0.0', PUBLIC_URL: '' };
    const running = await project.start(START, { words: READY, env });
    expect(running.output()).toContain(`gateway   http://127.0.0.1:${port}\n`);
    expect(running.output()).toContain('grpc      off, as GRPC says');
    expect(running.output()).toContain('HOST (0.0.0.0) is not used');
    expect(running.output()).toContain('-H "Authorization: Bearer $TOKEN"');

    const reply = await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
    const { supportedInterfaces: served } = (await reply.json()) as { supportedInterfaces: { url: string }[] };
    expect(new Set(served.map(({ url }) => new URL(url).origin))).toEqual(new Set([`http://127.0.0.1:${port}`]));
    const client = new Client(`http://127.0.0.1:${port}/`, { 'x-api-key': key });
    expect((await client.send(said('hi'))).status.state).toBe('TASK_STATE_COMPLETED');

    const second = await project.sh(START, { env: { PORT: '' } });
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Tidemark is running already at http')]);
    await running.interrupt();
    expect(running.output()).toContain('Stopped.');
  });

  it('speaks gRPC where it is told to', async () => {
    const grpcPort = String(await freePort());
    const env = { PORT: String(await freePort()), GRPC_PORT: grpcPort };
    const running = await project.start(START, { words: READY, env });
    expect(running.output()).toContain(`grpc      127.0.0.1:${grpcPort}\n`);
    const card = await (await fetch(`http://127.0.0.1:${env.PORT}/.well-known/agent-card.json`)).text();
    expect(card).toContain(`"127.0.0.1:${grpcPort}"`);
    await running.interrupt();
    expect(running.output()).toContain('Stopped.');
  });
});
