import { ClientFactory } from '@a2a-js/sdk/client';
import { Role } from '@a2a-js/sdk';
import { connect } from '@nats-io/transport-node';
import { STORED_PART_URI, toHttpFailure, type WirePart, type WireTask } from '@tidemark/protocol';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { AppProcess } from './app-process';
import { Client, collect, said, taskOf, upTo, versionOf, type Wire } from './client';
import { System } from './system';

const MAX_PART_BYTES = 6_000_000;
const MODULES = {
  AGENT_MODULES: './test/e2e/agents/maker.mjs,./dist/deploy/examples/agents/digest.js',
  AGENTS: 'maker,digest',
  MAX_PART_BYTES: String(MAX_PART_BYTES),
};

let system: System;
let makers: AppProcess[];

beforeAll(async () => {
  system = await System.start();
  makers = [await system.add('executor', MODULES)];
  await Promise.all([system.add('gateway'), system.add('gateway'), system.add('projector')]);
});

afterAll(() => system.stop());

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);
const make = (...sizes: number[]): Wire => said('', { parts: [{ data: { sizes } }] });
const file = (bytes: Buffer, over: Wire = {}): Wire => ({ raw: bytes.toString('base64'), ...over });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const contentOf = (size: number) => Buffer.alloc(size, `the content of ${size} bytes, `);

/** The part of an artifact that is not there itself. */
function linked(task: WireTask, artifact = 0): WirePart & { url: string } {
  const part = task.artifacts?.[artifact]?.parts.find((found) => 'url' in found);
  if (!part || !('url' in part)) throw new Error(`no part has a URL: ${JSON.stringify(task)}`);
  return part;
}

async function bytesAt(url: string): Promise<Buffer> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return Buffer.from(await reply.arrayBuffer());
}

describe('a large artifact', () => {
  it('comes back byte for byte by its URL, from every gateway', async () => {
    const content = contentOf(5_000_000);
    const { id, status } = await client('maker').send(make(5_000_000));
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    for (const gateway of [0, 1]) {
      const { url, ...part } = linked(await client('maker', gateway).get(id));
      expect(url).toBe(`${system.app('gateway', gateway).url}/agents/maker/tasks/${id}/parts/${sha256(content)}`);
      expect(part).toEqual({
        ...{ mediaType: 'application/octet-stream', filename: '5000000.bin' },
        metadata: {
          size: 5_000_000,
          [STORED_PART_URI]: { sha256: sha256(content), sizeBytes: 5_000_000, content: 'raw' },
        },
      });
      expect(content.equals(await bytesAt(url))).toBe(true);
    }
  });

  it('looks the same live, replayed, in a snapshot and in a list', async () => {
    const live = await collect(client('maker').stream(make(70_000, 1_000, 300_000)));
    const { id, contextId } = taskOf(live);
    const replayed = await collect(client('maker').subscribe(id, '0-0'));
    expect(replayed.slice(1)).toEqual(live.slice(1));
    expect(replayed.map(versionOf)).toEqual(upTo(6));
    const shown = live.flatMap(({ result }) => ('artifactUpdate' in result ? [result.artifactUpdate.artifact] : []));
    const task = await client('maker').get(id);
    expect(task.artifacts).toEqual(shown);
    expect(shown.map(({ parts }) => 'url' in parts[1]!)).toEqual([true, false, true]);
    const { tasks } = await client('maker').list({ contextId, includeArtifacts: true, historyLength: 10 });
    expect(tasks).toEqual([task]);
  });

  it('can be read by the published A2A client', async () => {
    const sdk = await new ClientFactory().createFromUrl(`${system.app('gateway').url}/agents/maker/`);
    const content = { $case: 'data', value: { sizes: [200_000] } } as const;
    const parts = [{ content, metadata: undefined, filename: '', mediaType: '' }];
    const about = { taskId: '', contextId: '', referenceTaskIds: [], metadata: undefined, extensions: [] };
    const message = { messageId: randomUUID(), role: Role.ROLE_USER, parts, ...about };
    const task = await sdk.sendMessage({ tenant: '', metadata: undefined, configuration: undefined, message });
    const part = 'artifacts' in task ? task.artifacts[0]?.parts[1] : undefined;
    expect(part).toMatchObject({ content: { $case: 'url' }, filename: '200000.bin' });
    expect(contentOf(200_000).equals(await bytesAt(String(part?.content?.value)))).toBe(true);
  });

  it('beyond the limit fails its task with a sentence that names the part', async () => {
    const { status, artifacts } = await client('maker').send(make(100_000, 7_000_000));
    expect(status.state).toBe('TASK_STATE_FAILED');
    const text = 'artifact "of 7000000", part 2: 7000000 bytes, the limit is 6000000';
    expect(status.message?.parts).toEqual([{ text }]);
    expect(artifacts?.map(({ name }) => name)).toEqual(['of 100000']);
  });
});

describe('a large part of a message', () => {
  const bytes = randomBytes(3_000_000);

  it('reaches the agent whole, whatever its kind', async () => {
    const words = '漂'.repeat(50_000);
    const facts = { list: Array.from({ length: 30_000 }, (_, i) => i) };
    const parts = [file(bytes, { filename: 'a.bin' }), { text: words }, { data: facts }, { text: 'small' }];
    const { artifacts, history } = await client('digest').send(said('', { parts }));
    const expected = [bytes, Buffer.from(words), Buffer.from(JSON.stringify(facts)), Buffer.from('small')];
    expect(artifacts?.[0]?.parts.map((part) => 'data' in part && part.data)).toEqual(
      expected.map((content) => ({ sizeBytes: content.length, sha256: sha256(content) })),
    );
    const shown = history?.[0]?.parts ?? [];
    expect(shown.map((part) => ('url' in part ? part.mediaType : part))).toEqual([
      'application/octet-stream',
      'text/plain;charset=utf-8',
      'application/json',
      { text: 'small' },
    ]);
    for (const [index, part] of shown.entries()) {
      if ('url' in part) expect(expected[index]?.equals(await bytesAt(part.url))).toBe(true);
    }
  });

  it('can be given back', async () => {
    const task = await client('echo').send(said('', { parts: [file(bytes)] }));
    expect(bytes.equals(await bytesAt(linked(task).url))).toBe(true);
  });

  it('is one message where it is sent again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const parts = [file(bytes)];
    const ids = [0, 1].map((gateway) => client('echo', gateway).send(said('', { parts }), { headers }));
    const [first, second] = await Promise.all(ids);
    expect(second?.id).toBe(first?.id);
  });

  it('beyond the limit is refused by its name', async () => {
    const strict = await system.add('gateway', { MAX_PART_BYTES: '100000' });
    const parts = [{ text: 'a' }, { text: 'b' }, file(Buffer.alloc(100_001))];
    const { error } = await new Client(`${strict.url}/agents/echo`).call('SendMessage', {
      message: said('', { parts }),
    });
    expect(error?.message).toBe('The payload is too large: message.parts[2] must be at most 100000 bytes');
    expect(error?.data).toMatchObject([{ reason: 'PAYLOAD_TOO_LARGE', metadata: { limitBytes: '100000' } }, {}]);
  });

  it('cannot be made up', async () => {
    const stored = { sha256: sha256(bytes), sizeBytes: bytes.length, content: 'raw' };
    const { error } = await client('echo').call('SendMessage', { message: said('', { parts: [{ stored }] }) });
    expect(JSON.stringify(error?.data)).toContain('"field":"message.parts[0]"');
    const task = await client('echo').send(said('', { parts: [{ text: 'a', stored }] }));
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'a' }]);
  });
});

describe('the URL of a part', () => {
  let url: string;
  let hash: string;

  beforeAll(async () => {
    ({ url } = linked(await client('maker').send(make(400_000))));
    hash = url.slice(-64);
  });

  it('says what it serves, and that no browser is to show it', async () => {
    const { status, headers } = await fetch(url);
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      200,
      {
        'content-type': 'application/octet-stream',
        'content-length': '400000',
        'content-disposition': `attachment; filename="400000.bin"; filename*=UTF-8''400000.bin`,
        etag: `"${hash}"`,
        'accept-ranges': 'none',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      },
    ]);
  });

  it('says the same to HEAD, and sends nothing', async () => {
    const [got, head] = await Promise.all([fetch(url), fetch(url, { method: 'HEAD' })]);
    const ofConnection = ['connection', 'keep-alive', 'date'];
    const relevant = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !ofConnection.includes(name)));
    expect(head.status).toBe(200);
    expect(relevant(head)).toEqual(relevant(got));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it.each([(tag: string) => `"${tag}"`, (tag: string) => `W/"${tag}", "other"`, () => '*'])(
    'sends nothing to who has it',
    async (known) => {
      const reply = await fetch(url, { headers: { 'if-none-match': known(hash) } });
      expect([reply.status, reply.headers.get('etag')]).toEqual([304, `"${hash}"`]);
    },
  );

  it('is what is configured, whatever the request says of its host', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const { task } = await client('maker').ask<{ task: WireTask }>('SendMessage', { message: make(70_000) }, headers);
    expect(linked(task).url.startsWith(system.app('gateway').url)).toBe(true);
    const named = await system.add('gateway', { PUBLIC_URL: 'https://agents.example.com/a2a/' });
    const shown = await new Client(`${named.url}/agents/maker`).get(task.id);
    expect(linked(shown).url).toMatch(/^https:\/\/agents\.example\.com\/a2a\/agents\/maker\/tasks\//);
  });

  it('finds nothing else, and tells nothing of why', async () => {
    const other = await client('maker').send(make(1_000));
    const wrong = [
      url.replace(hash, '0'.repeat(64)),
      url.replace(hash, hash.toUpperCase()),
      url.replace(hash, 'x'),
      url.replace(hash, '*'),
      url.replace('/agents/maker/', '/agents/echo/'),
      url.replace('/agents/maker/', '/agents/nobody/'),
      url.replace('/agents/maker/', '/agents/*/'),
      url.replace(/tasks\/[^/]+/, `tasks/${other.id}`),
      url.replace(/tasks\/[^/]+/, `tasks/${randomUUID()}`),
      url.replace(/tasks\/[^/]+/, 'tasks/*'),
    ];
    const replies = await Promise.all(wrong.map((unknown) => fetch(unknown)));
    const bodies = await Promise.all(replies.map((reply) => reply.json()));
    expect(replies.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect(bodies).toEqual(wrong.map(() => toHttpFailure(404, 'There is no such part here')));
  });
});

describe('an executor that is killed while it stores a part', () => {
  it('leaves no event of it, and the next one makes it whole', async () => {
    const broker = await connect({ servers: system.nats.url });
    const [maker] = makers;
    const firstChunk = new Promise<void>((seen) => {
      broker.subscribe('$O.TASK_PARTS.C.>', { max: 1, callback: () => seen() });
    });
    await broker.flush();
    const [started] = await collect(client('maker').stream(make(5_500_000)), 1);
    await firstChunk;
    await maker?.end('SIGKILL');
    const { id } = taskOf([started!]);
    const left = await client('maker').get(id);
    expect([left.status.state, left.artifacts]).toEqual(['TASK_STATE_WORKING', undefined]);
    await system.add('executor', MODULES);
    const events = await collect(client('maker', 1).subscribe(id, started!.id));
    expect(events.map(versionOf)).toEqual(upTo(5));
    const task = await client('maker').get(id);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(contentOf(5_500_000).equals(await bytesAt(linked(task).url))).toBe(true);
    await broker.close();
  });
});
