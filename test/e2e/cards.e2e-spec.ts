import { type AgentCard as SdkCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importJWK, type JSONWebKeySet, type JWK } from 'jose';
import type { AgentCard, WireTask } from '@tidemark/protocol';
import { Client, rpc, said } from './client';
import { pythonWith } from './python';
import { System } from './system';
import { type Ran, tidemark } from './tidemark';

const PUBLIC_URL = 'https://agents.example.test/a2a';
const CARD = '/.well-known/agent-card.json';
const CONSENT = 'urn:example:consent:v1';
const TONE = 'urn:example:tone:v1';
const REPLAY = 'urn:tidemark:replay:v1';

let system: System;
let gateway: ReturnType<System['app']>;
let folder: string;
let keysFile: string;

const keys = (action: string): Promise<Ran> => tidemark('', 'keys', action, keysFile);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-cards-'));
  keysFile = join(folder, 'keys.json');
  expect(await keys('create')).toMatchObject({ code: 0 });
  system = await System.start('projector');
  gateway = await system.add('gateway', { PUBLIC_URL, KEYS_FILE: keysFile });
  await system.add('executor', { AGENT_MODULES: resolve(__dirname, 'agents/consenting.mjs') });
  while ((await get(`/agents/consenting${CARD}`)).status === 404);
});

afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Reply = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string };
type Options = { readonly headers?: Readonly<Record<string, string>>; readonly method?: string };

/** Unlike `fetch`, with whatever `Host` is asked for. */
const get = (path: string, { headers = {}, method = 'GET' }: Options = {}): Promise<Reply> =>
  new Promise((done, fail) => {
    const sent = request(`${gateway.url}${path}`, { method, headers }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, body }));
    });
    sent.on('error', fail).end();
  });

const json = async <T>(path: string): Promise<T> => JSON.parse((await get(path)).body) as T;
const cardAt = (path: string): Promise<AgentCard> => json(`${path}${CARD}`);
const jwks = (): Promise<JSONWebKeySet> => json('/.well-known/jwks.json');

describe('agent cards', () => {
  it('say where the agent is, at the root and at its own path, in the order that is preferred', async () => {
    for (const [path, url, base] of [
      ['', `${PUBLIC_URL}/`, PUBLIC_URL],
      ['/agents/ticker', `${PUBLIC_URL}/agents/ticker`, `${PUBLIC_URL}/agents/ticker`],
    ]) {
      const { supportedInterfaces } = await cardAt(path ?? '');
      const perVersion = ['1.0', '0.3'].map((protocolVersion) => [
        { url, protocolBinding: 'JSONRPC', protocolVersion },
        { url: base, protocolBinding: 'HTTP+JSON', protocolVersion },
      ]);
      expect(supportedInterfaces.filter(({ protocolBinding }) => protocolBinding !== 'GRPC')).toEqual(
        perVersion.flat(),
      );
    }
  });

  it('are the same below the agent as a tenant', async () => {
    const [byPath, byTenant] = await Promise.all([get(`/agents/ticker${CARD}`), get(`/ticker${CARD}`)]);
    expect([byTenant.status, byTenant.body]).toEqual([200, byPath.body]);
    expect((await get(`/nobody${CARD}`)).status).toBe(404);
  });

  it('show all that the agent says of itself', async () => {
    const card = await cardAt('/agents/consenting');
    expect(card).toMatchObject({
      provider: { organization: 'Example', url: 'https://example.test' },
      ...{ documentationUrl: 'https://example.test/docs', iconUrl: 'https://example.test/icon.png' },
      skills: [
        {
          outputModes: ['application/json'],
          securityRequirements: [{ schemes: { bearer: { list: ['tasks'] } } }],
        },
      ],
    });
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
    expect(card.capabilities.extensions.slice(-2)).toEqual([
      { uri: CONSENT, description: 'The user has agreed', required: true, params: { terms: [1, 'a'] } },
      { uri: TONE },
    ]);
  });

  it.each<Readonly<Record<string, string>>>([
    { host: 'evil.test' },
    { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.test;proto=http' },
    { host: 'evil.test:1', 'x-forwarded-port': '1', 'x-original-host': 'evil.test' },
  ])('are the same bytes whatever the request says of this host: %j', async (headers) => {
    for (const path of [CARD, `/agents/ticker${CARD}`, `/ticker${CARD}`, '/agents']) {
      expect((await get(path, { headers })).body).toBe((await get(path)).body);
    }
  });

  it('are listed', async () => {
    const { defaultAgent, agents } = await json<{ defaultAgent: string; agents: { id: string; card: string }[] }>(
      '/agents',
    );
    expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining(['consenting', 'echo', defaultAgent]));
    const url = `${PUBLIC_URL}/agents/consenting`;
    expect(agents.find(({ id }) => id === 'consenting')).toEqual({
      ...{ id: 'consenting', name: 'Consenting', description: 'Says which extensions were declared', version: '1.0.0' },
      ...{ url, card: `${url}${CARD}` },
    });
  });
});

describe('caching', () => {
  const documents = [CARD, `/agents/ticker${CARD}`, '/.well-known/jwks.json', '/agents'];

  it.each(documents)('%s can be kept for a while, and asked for by its tag', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers['cache-control']).toBe('public, max-age=60');
    const tag = String(headers['etag']);
    for (const known of [tag, `"other", ${tag}`, '*']) {
      const again = await get(path, { headers: { 'if-none-match': known } });
      expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', tag]);
    }
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each(documents)('%s has the headers for HEAD, and no body', async (path) => {
    const [got, head] = await Promise.all([get(path), get(path, { method: 'HEAD' })]);
    expect([head.status, head.body, head.headers['etag']]).toEqual([200, '', got.headers['etag']]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.body)));
  });

  it('cards can be asked for by date, unless a tag is given', async () => {
    const { headers } = await get(CARD);
    const date = String(headers['last-modified']);
    expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
    const status = async (conditions: Record<string, string>) => (await get(CARD, { headers: conditions })).status;
    expect(await status({ 'if-modified-since': date })).toBe(304);
    expect(await status({ 'if-modified-since': new Date(Date.parse(date) - 1_000).toUTCString() })).toBe(200);
    expect(await status({ 'if-modified-since': 'yesterday' })).toBe(200);
    expect(await status({ 'if-modified-since': date, 'if-none-match': '"other"' })).toBe(200);
  });
});

/** Each verifier says whether it believes the card. */
async function believed(card: AgentCard, { keys: known }: JSONWebKeySet): Promise<boolean> {
  const keyOf = async (kid: string) => importJWK(known.find((key) => key.kid === kid) ?? {});
  const verify = verifyAgentCardSignature(keyOf as Parameters<typeof verifyAgentCardSignature>[0]);
  return verify(card as unknown as SdkCard).then(
    () => true,
    () => false,
  );
}

const kidIn = (header: string): unknown => (JSON.parse(Buffer.from(header, 'base64url').toString()) as JWK).kid;

describe('signatures', () => {
  beforeEach(() => void jest.spyOn(console, 'debug').mockReturnValue()); // the SDK tells of each entry that fails
  afterEach(() => void jest.restoreAllMocks());

  const python = pythonWith({ name: 'python-a2a', packages: 'a2a-sdk[signing]==1.3.0', module: 'a2a.utils.signing' });
  const withPython = 'missing' in python ? it.skip : it;

  /** What the SDK for Python says of a card. */
  function verdict(card: unknown, known: JSONWebKeySet): string {
    const interpreter = 'interpreter' in python ? python.interpreter : '';
    const input = JSON.stringify({ card, jwks: known });
    const { stdout, stderr } = spawnSync(interpreter, [join(__dirname, 'verify_card.py')], { input, encoding: 'utf8' });
    return stdout.trim() || (stderr.trim().split('\n').at(-1) ?? '');
  }

  it('are verified by the SDK for JavaScript with the keys that are served', async () => {
    const [card, known] = [await cardAt('/agents/consenting'), await jwks()];
    expect(await believed(card, known)).toBe(true);
    expect(await believed({ ...card, version: '1.0.1' }, known)).toBe(false);
  });

  withPython('are verified by the SDK for Python with the keys that are served', async () => {
    const known = await jwks();
    const cardOf = (path: string): Promise<AgentCard> => json(`${path}${CARD}?A2A-Version=1.0`);
    for (const path of ['', '/agents/consenting']) expect(verdict(await cardOf(path), known)).toBe('verified');
    const card = await cardOf('/agents/consenting');
    expect(verdict({ ...card, version: '1.0.1' }, known)).toContain('No valid signature found');
  });

  it('show nothing private of the keys', async () => {
    const members = (await jwks()).keys.map((key) => Object.keys(key).sort());
    expect(members).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
  });

  it('survive a rotation: before, during and after it somebody who knows a key of then believes the card', async () => {
    const [first, seen] = [await jwks(), await cardAt('')];
    const { etag } = (await get(CARD)).headers;
    const during = await restartedAfter('rotate');
    expect([first.keys.length, during.keys.length]).toEqual([1, 2]);
    const signedByBoth = await cardAt('');
    expect((await get(CARD)).headers['etag']).not.toBe(etag);
    const kids = signedByBoth.signatures?.map(({ protected: header }) => kidIn(header));
    expect(new Set(kids)).toEqual(new Set(during.keys.map(({ kid }) => kid)));
    for (const known of [first, during]) expect(await believed(signedByBoth, known)).toBe(true);
    expect(await believed(seen, during)).toBe(true);
    const after = await restartedAfter('retire');
    const signedByNew = await cardAt('');
    expect(await believed(signedByNew, after)).toBe(true);
    expect(await believed(signedByBoth, after)).toBe(true);
    expect([await believed(signedByNew, first), await believed(seen, after)]).toEqual([false, false]);
  });

  async function restartedAfter(action: string): Promise<JSONWebKeySet> {
    expect(await keys(action)).toMatchObject({ code: 0 });
    await gateway.end('SIGTERM');
    await gateway.start();
    return jwks();
  }
});

describe('extensions', () => {
  const client = () => new Client(`${gateway.url}/agents/consenting`);
  const call = (method: string, params: object, extensions?: string) =>
    client().call(method, { ...params }, extensions === undefined ? {} : { 'a2a-extensions': extensions });

  it.each([
    ['SendMessage', { message: said('hello') }],
    ['SendStreamingMessage', { message: said('hello') }],
    ['GetTask', { id: 'any' }],
    ['ListTasks', {}],
    ['CancelTask', { id: 'any' }],
    ['SubscribeToTask', { id: 'any' }],
    ['CreateTaskPushNotificationConfig', { taskId: 'any', url: 'https://hook.test' }],
    ['GetTaskPushNotificationConfig', { taskId: 'any', id: 'any' }],
    ['ListTaskPushNotificationConfigs', { taskId: 'any' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 'any', id: 'any' }],
    ['GetContextGraph', { contextId: 'any' }],
  ])('that are required are asked for by %s', async (method, params) => {
    for (const declared of [undefined, '', TONE, 'urn:example:consent:v2', 'urn:example:consent']) {
      const { error } = await call(method, params, declared);
      expect([error?.code, error?.data?.[0]]).toEqual([
        -32008,
        expect.objectContaining({ reason: 'EXTENSION_SUPPORT_REQUIRED', metadata: { requiredExtensions: CONSENT } }),
      ]);
    }
    const reply = await client().raw(rpc(method, params), { 'a2a-extensions': CONSENT });
    expect(await reply.text()).not.toContain('EXTENSION_SUPPORT_REQUIRED');
  });

  it('that are required are not asked for by cards', async () => {
    const { error } = await call('GetExtendedAgentCard', {});
    expect(error?.code).toBe(-32004); // callers cannot be told apart here, so the card offers none
    expect((await cardAt('/agents/consenting')).capabilities.extendedAgentCard).toBeUndefined();
  });

  it('are echoed where the card of this agent declares them, and ignored where not', async () => {
    const echoed = async (agent: string, method: string) => {
      const body = rpc(method, { message: said('end') });
      const declared = `urn:unknown, ${TONE},${CONSENT}, ${REPLAY},urn:tidemark:replay:v2`;
      const reply = await new Client(`${gateway.url}/agents/${agent}`).raw(body, { 'a2a-extensions': declared });
      expect(await reply.text()).toContain('"task":');
      return reply.headers.get('a2a-extensions');
    };
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      expect(await echoed('consenting', method)).toBe(`${REPLAY},${CONSENT},${TONE}`);
      expect(await echoed('echo', method)).toBe(REPLAY);
    }
  });

  it('that the client declares reach the agent, with each message of a task', async () => {
    const declared = (task: WireTask) => task.artifacts?.map(({ parts, extensions }) => ({ parts, extensions }));
    const asked = await client().send(said('hello'), {
      headers: { 'a2a-extensions': `${TONE},${CONSENT},urn:unknown` },
    });
    expect(declared(asked)).toEqual([{ parts: [{ data: [CONSENT, TONE] }], extensions: [CONSENT] }]);
    expect(asked.status.message?.extensions).toEqual([TONE]);
    const message = said('end', { taskId: asked.id, extensions: [TONE] });
    const done = await client().send(message, { headers: { 'a2a-extensions': CONSENT } });
    expect(declared(done)).toEqual([{ parts: [{ data: [CONSENT] }], extensions: [CONSENT] }]);
    expect(done.history?.filter(({ role }) => role === 'ROLE_USER').map(({ extensions }) => extensions)).toEqual([
      ...[undefined, [TONE]],
    ]);
  });
});
