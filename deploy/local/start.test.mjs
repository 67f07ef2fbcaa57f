import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { banner } from './banner.mjs';
import { askedPorts, choosePorts } from './chosen-ports.mjs';
import { run } from './command.mjs';
import { credentialAskedBy } from './card-credential.mjs';
import { hostedAgents } from './hosted-agents.mjs';
import { notesAbout as notesAboutAgents } from './show-around.mjs';
import { notesAbout } from './start-environment.mjs';

const LAUNCHER = fileURLToPath(new URL('./tidemark.mjs', import.meta.url));
const SKILLS = "[{ id: 'say', name: 'Say', description: 'Says', tags: ['x'] }]";
const external = /** @type {const} */ ({ kind: 'external', url: 'nats://127.0.0.1:4222' });
let dir;
let taken;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tidemark-start-'));
  taken = createServer();
  await new Promise((resolve) => taken.listen(0, '127.0.0.1', () => resolve(undefined)));
});

after(async () => {
  taken.close();
  await rm(dir, { recursive: true, force: true });
});

describe('ports that are asked for', () => {
  test('are those of the gateway and of its gRPC', () => {
    assert.deepEqual(askedPorts({ PORT: '9000', GRPC_PORT: '9001' }), { gateway: 9000, grpc: 9001, hasGrpc: true });
    assert.deepEqual(askedPorts({}), { gateway: undefined, grpc: undefined, hasGrpc: true });
    assert.deepEqual(askedPorts({ GRPC: '', GRPC_PORT: '' }).hasGrpc, true);
  });

  test('are none of gRPC where it is off', () => {
    for (const GRPC of ['false', 'FALSE', '0', 'no', 'off', 'n', 'disabled']) {
      assert.deepEqual(askedPorts({ GRPC, GRPC_PORT: 'x' }), { gateway: undefined, grpc: undefined, hasGrpc: false });
    }
    for (const GRPC of ['true', '1', 'yes', 'on', 'maybe']) assert.equal(askedPorts({ GRPC }).hasGrpc, true);
  });

  test('are given to nobody else', async () => {
    const asked = { gateway: 18081, grpc: 18082, hasGrpc: true };
    const { ports, grpcPort, natsPort } = await choosePorts(asked, external);
    assert.deepEqual([ports.gateway, grpcPort, natsPort], [18081, 18082, 0]);
    const all = [...Object.values(ports), grpcPort];
    assert.equal(new Set(all).size, all.length);
    assert.equal((await choosePorts({ hasGrpc: false }, external)).grpcPort, undefined);
  });
});

describe('a launcher that cannot do what it is told says so at once', () => {
  const refusal = async (env) => {
    const given = { ...process.env, PORT: '', GRPC_PORT: '', GRPC: '', ...env };
    const { output } = await run(process.execPath, [LAUNCHER, 'start'], { cwd: dir, env: given, limitMs: 30_000 }).then(
      () => assert.fail('it was not refused'),
      (error) => error,
    );
    return output.trim();
  };

  test('of a port that is none', async () => {
    assert.equal(await refusal({ PORT: 'x' }), 'PORT must be a whole number from 1 to 65535; it is "x"');
    assert.equal(
      await refusal({ GRPC_PORT: '70000' }),
      'GRPC_PORT must be a whole number from 1 to 65535; it is "70000"',
    );
  });

  test('of one port for two', async () => {
    assert.equal(
      await refusal({ PORT: '18090', GRPC_PORT: '18090' }),
      'PORT and GRPC_PORT must differ: both are 18090',
    );
  });

  test('of a port that is taken', async () => {
    const { port } = taken.address();
    for (const name of ['PORT', 'GRPC_PORT']) {
      assert.equal(await refusal({ [name]: String(port) }), `port ${port}, which ${name} asks for, is taken`);
    }
  });
});

describe('what the environment says', () => {
  test('is told where it makes no difference', () => {
    assert.deepEqual(notesAbout({ HOST: '0.0.0.0', INDEX_PATH: 'my.db' }), [
      'HOST (0.0.0.0) is not used: what is started here listens on 127.0.0.1',
      'INDEX_PATH (my.db) is not used: the index is beside the other data',
    ]);
    for (const HOST of ['', 'localhost', '127.0.0.1']) assert.deepEqual(notesAbout({ HOST }), []);
  });
});

describe('agents', () => {
  const MINE = "export const agent = { profile: { id: 'poet', name: 'Poet', description: 'Writes', version: '1', ";
  const REST =
    "skills: [], defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] }, async *run() {} };";
  const hostedBy = (env) => hostedAgents({ env: { ...process.env, ...env }, folder: dir });

  test('that are hosted are known before anything is started', async () => {
    const file = join(dir, 'poet.mjs');
    await writeFile(file, `console.log('hello'); setInterval(() => {}, 1000); ${MINE}${REST.replace('[]', SKILLS)}`);
    assert.deepEqual(await hostedBy({}), ['trip-planner', 'echo', 'ticker']);
    assert.deepEqual(await hostedBy({ AGENT_MODULES: file }), ['trip-planner', 'echo', 'ticker', 'poet']);
    assert.deepEqual(await hostedBy({ AGENT_MODULES: './poet.mjs', SAMPLE_AGENTS: 'false' }), ['poet']);
    assert.deepEqual(await hostedBy({ AGENTS: 'echo' }), ['echo']);
  });

  test('that cannot be hosted are told in one line', async () => {
    const cases = [
      [{ AGENTS: 'x' }, 'AGENTS: there is no agent x; there are: trip-planner, echo, ticker'],
      [{ SAMPLE_AGENTS: 'no' }, 'SAMPLE_AGENTS: without them AGENT_MODULES has to name agents of yours'],
    ];
    for (const [env, message] of cases) await assert.rejects(hostedBy(env), { message });
  });

  test('that nobody here hosts are named', () => {
    const renamed = notesAboutAgents({ id: 'my-agent', from: '--default-agent' }, ['poet'], ['my-agent', 'poet']);
    assert.deepEqual(renamed, [
      'nobody here hosts the agent at the root, my-agent, which --default-agent names; hosted are: poet',
      'announced earlier, and hosted by nobody here: my-agent ("tidemark agents remove" takes one off)',
    ]);
    assert.deepEqual(notesAboutAgents({ id: 'poet', from: 'nobody' }, ['poet'], ['poet']), []);
  });
});

describe('the card', () => {
  const asking = (...names) => ({
    securitySchemes: { apiKey: { apiKeySecurityScheme: { name: 'X-API-Key' } }, bearer: {}, openIdConnect: {} },
    securityRequirements: names.map((name) => ({ schemes: name ? { [name]: { list: [] } } : {} })),
  });

  test('says which credential the first call needs', () => {
    assert.equal(credentialAskedBy({}), undefined);
    assert.equal(credentialAskedBy(asking('apiKey')), 'X-API-Key: $API_KEY');
    assert.equal(credentialAskedBy(asking('bearer', 'apiKey')), 'Authorization: Bearer $TOKEN');
    assert.equal(credentialAskedBy(asking('openIdConnect')), 'Authorization: Bearer $TOKEN');
    assert.equal(credentialAskedBy(asking('apiKey', '')), undefined);
  });
});

describe('the banner', () => {
  const shown = (more) =>
    banner({
      gateway: 'http://127.0.0.1:1',
      broker: external,
      natsUrl: 'nats://x',
      dataDir: dir,
      words: 'Hi',
      ...more,
    });

  test('says where gRPC is, or that it is off', () => {
    assert.match(shown({ grpcPort: 18082 }), /^ {2}grpc {6}127\.0\.0\.1:18082$/m);
    assert.match(shown({}), /^ {2}grpc {6}off, as GRPC says$/m);
  });

  test('has a call that can be typed, with a credential where one is needed', () => {
    assert.match(shown({}), /Send it a message:\n\n {2}curl -s http:\S+ -H '[^']+' -H 'A2A-Version: 1\.0' -d '/);
    const secured = shown({ credential: 'X-API-Key: $API_KEY' });
    assert.match(secured, /with a credential of yours:\n\n.* -H "X-API-Key: \$API_KEY" -d '/);
  });
});
