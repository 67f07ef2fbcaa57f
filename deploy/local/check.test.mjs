import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { isNewEnough, versionOf, findBroker, findServer } from './broker.mjs';
import { adopt, cachedServer } from './broker/cache.mjs';
import { fetchRelease } from './broker/release.mjs';
import { buildApps } from './build.mjs';
import { run } from './command.mjs';
import { holdConversation } from './conversation.mjs';
import { withoutAliases } from './declarations.mjs';
import { cardOf, firstWordsFor, servedAgents } from './default-agent.mjs';
import { rootAgent } from './hosted-agents.mjs';
import { checkNode, isInstalled } from './install.mjs';
import { ensureKeys } from './keys.mjs';
import { natsConfig } from './nats.mjs';
import { callersFolder, ROOT } from './paths.mjs';
import { askedPort, freePortOr } from './ports.mjs';
import { stillRuns } from './process-table.mjs';
import { Processes, STAGE } from './processes.mjs';
import { whenReady } from './readiness.mjs';
import { showReplay } from './replay.mjs';
import { currentRun, takeRunLock } from './run-lock.mjs';
import { isTidemark } from './running-gateway.mjs';
import { serverSentEvents } from './sse.mjs';
import { startOptions, WrongUseError } from './start-options.mjs';
import { startStandIn } from './stand-in-gateway.mjs';
import { closingLine, sum, tallyOfTap } from './tallies.mjs';

const ignore = () => undefined;
let dir;

before(async () => void (dir = await mkdtemp(join(tmpdir(), 'tidemark-check-'))));
after(() => rm(dir, { recursive: true, force: true }));

/** A file that says it is a nats-server of some version. */
async function fakeServer(version, folder = dir) {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'nats-server');
  await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`, { mode: 0o755 });
  return file;
}

/** Listens on a free port until the test has ended. */
async function listening(t, server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return server.address().port;
}

describe('broker', () => {
  test('reads the version from what a server says', () => {
    assert.equal(versionOf('nats-server: v2.15.1'), '2.15.1');
    assert.equal(versionOf('nats-server: v2.14.0-RC.1'), '2.14.0');
    assert.equal(versionOf('something else'), undefined);
  });

  test('takes 2.14 and all that is newer, and nothing else', () => {
    assert.deepEqual(['2.14.0', '2.15.1', '3.0.0'].map(isNewEnough), [true, true, true]);
    assert.deepEqual(['2.9.10', '2.13.9', '1.99.0', '', undefined].map(isNewEnough), Array(5).fill(false));
  });

  test('refuses an old server that was named, and says why', async () => {
    const NATS_SERVER_BIN = await fakeServer('2.10.9', join(dir, 'old'));
    await assert.rejects(findServer(ignore, { NATS_SERVER_BIN }), /is 2\.10\.9; .* silently ignores the header/);
  });

  test('prefers the PATH to the cache, and the cache to an old one on the PATH', async () => {
    const XDG_CACHE_HOME = join(dir, 'xdg');
    await mkdir(join(XDG_CACHE_HOME, 'tidemark', 'nats-server'), { recursive: true });
    const cached = await adopt(await fakeServer('2.15.1', join(dir, 'fetched')), { XDG_CACHE_HOME });
    const onPath = await fakeServer('2.14.2', join(dir, 'new'));

    assert.equal(await cachedServer({ XDG_CACHE_HOME }), cached);
    assert.equal(await findServer(ignore, { XDG_CACHE_HOME, PATH: join(dir, 'new') }), onPath);
    await fakeServer('2.10.9', join(dir, 'old'));
    assert.equal(await findServer(ignore, { XDG_CACHE_HOME, PATH: join(dir, 'old') }), cached);
  });

  test('accepts an outside server only with JetStream and new enough', async (t) => {
    let info = {};
    const server = createTcpServer((socket) => void socket.end(`INFO ${JSON.stringify(info)} \r\n`));
    const NATS_URL = `nats://127.0.0.1:${await listening(t, server)}`;

    info = { version: '2.15.0', jetstream: true };
    assert.deepEqual(await findBroker(ignore, { NATS_URL }), { kind: 'external', url: NATS_URL });
    info = { version: '2.12.0', jetstream: true };
    await assert.rejects(findBroker(ignore, { NATS_URL }), /is 2\.12\.0/);
    info = { version: '2.15.0' };
    await assert.rejects(findBroker(ignore, { NATS_URL }), /without JetStream/);
    await assert.rejects(findBroker(ignore, { NATS_URL: 'localhost:1' }), /no NATS server answers at localhost:1/);
  });
});

describe('release', () => {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const stem = `nats-server-v2.15.1-${process.platform}-${arch}`;

  /** A release of one archive, with the sum that it is said to have. */
  async function publish(t, sumOf) {
    await fakeServer('2.15.1', join(dir, stem));
    await run('tar', ['-czf', join(dir, 'a.tar.gz'), '-C', dir, stem]);
    const archive = await readFile(join(dir, 'a.tar.gz'));
    const files = { '/SHA256SUMS': `${sumOf(archive)}  ${stem}.tar.gz\n`, [`/${stem}.tar.gz`]: archive };
    const server = createServer(({ url }, response) => void response.end(files[url]));
    return `http://127.0.0.1:${await listening(t, server)}`;
  }

  const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

  test('unpacks an archive whose sum is the published one', async (t) => {
    const binary = await fetchRelease(await mkdtemp(join(dir, 'r')), await publish(t, sha256));
    assert.match((await run(binary, ['--version'])).stdout, /2\.15\.1/);
  });

  test('refuses an archive with another sum', async (t) => {
    const release = await publish(t, () => 'f'.repeat(64));
    await assert.rejects(fetchRelease(await mkdtemp(join(dir, 'r')), release), /but the release says ffff/);
  });
});

describe('install', () => {
  test('refuses a Node that is too old', () => {
    assert.throws(() => checkNode('20.18.3'), /needs Node >= 20\.19; this is 20\.18\.3/);
    checkNode('20.19.0');
    checkNode('24.1.0');
  });

  test('sees that another version is installed than the lock says', async () => {
    const root = await mkdtemp(join(dir, 'npm'));
    const lock = (version) =>
      JSON.stringify({ packages: { '': {}, 'node_modules/a': { version }, 'node_modules/mac': { optional: true } } });
    const installed = (version) => JSON.stringify({ packages: { 'node_modules/a': { version } } });
    await mkdir(join(root, 'node_modules', 'a'), { recursive: true });
    await writeFile(join(root, 'package-lock.json'), lock('1.0.0'));
    assert.equal(await isInstalled(root), false);
    await writeFile(join(root, 'node_modules', '.package-lock.json'), installed('1.0.0'));
    assert.equal(await isInstalled(root), false, 'the lock is complete, but the folder is empty');
    await writeFile(join(root, 'node_modules', 'a', 'package.json'), '{}');
    assert.equal(await isInstalled(root), true);
    await writeFile(join(root, 'package-lock.json'), lock('1.0.1'));
    assert.equal(await isInstalled(root), false);
  });
});

test('ends a command and what it has started before an interrupted launcher ends', async () => {
  const trace = await mkdtemp(join(dir, 'interrupted'));
  const command = `trap 'sleep 0.3; touch ended; exit 1' TERM; sleep 60 & echo $! > sleeper; wait`;
  const script = `
    import { run } from '${new URL('./command.mjs', import.meta.url)}';
    import { live } from '${new URL('./lifetime.mjs', import.meta.url)}';
    await live({ work: () => run('sh', ['-c', ${JSON.stringify(command)}]), interruptedCode: 130 });`;
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: trace });
  const said = text(launcher.stderr);
  while (!(await readFile(join(trace, 'sleeper'), 'utf8').catch(() => ''))) await new Promise(setImmediate);
  launcher.kill('SIGINT');
  assert.match(await said, /Stopping[^]*Stopped\./);
  assert.equal(await readFile(join(trace, 'ended'), 'utf8'), '');
  assert.equal(launcher.exitCode ?? (await new Promise((resolve) => launcher.once('exit', resolve))), 130);
  assert.equal(await stillRuns(Number(await readFile(join(trace, 'sleeper'), 'utf8')), 'sleep 60'), false);
});

test('builds only what has changed, and again after a build that failed', async () => {
  const root = await mkdtemp(join(dir, 'build'));
  const build = async (script) => {
    await writeFile(join(root, 'package.json'), JSON.stringify({ scripts: { build: script } }));
    let said;
    await buildApps((note) => (said = note), root);
    return said;
  };
  await mkdir(join(root, 'apps'));
  await writeFile(join(root, 'apps', 'main.ts'), '1');
  assert.equal(await build('mkdir -p dist'), 'npm run build');
  assert.equal(await build('exit 1'), 'unchanged');
  await writeFile(join(root, 'apps', 'main.spec.ts'), 'a test is not built');
  assert.equal(await build('exit 1'), 'unchanged');
  await writeFile(join(root, 'apps', 'main.ts'), '2');
  await assert.rejects(build('echo broken; exit 1'), (/** @type {any} */ error) => error.output.includes('broken'));
  assert.equal(await build('true'), 'npm run build');
});

test('flushes every write only when asked to', () => {
  const options = { name: 'a', dir: '/data', port: 4222 };
  assert.match(natsConfig({ ...options, flush: 'always' }), /sync_interval: always/);
  assert.doesNotMatch(natsConfig({ ...options, flush: 'default' }), /sync_interval/);
});

describe('processes', () => {
  const program = (name, script) => ({
    name,
    command: process.execPath,
    args: ['-e', script],
    logFile: join(dir, 'logs', `${name}.log`),
  });
  const forever = `
    setInterval(() => {}, 1000);
    process.on('SIGTERM', () => process.exit(void console.log('bye', Date.now())));
    console.log('up');`;

  const said = async (name, text) => {
    while (!(await readFile(join(dir, 'logs', `${name}.log`), 'utf8')).includes(text)) await new Promise(setImmediate);
  };

  test('reports one that ends by itself, with its last lines', async () => {
    const processes = new Processes();
    await processes.start(program('fragile', `console.log('all is lost'); process.exit(3)`), STAGE.app);
    assert.match((await processes.death).message, /fragile ended with exit code 3[^]*all is lost/);
    await processes.stop();
  });

  test('starts one again that had been ready, and gives up when it dies again and again', async () => {
    const reported = [];
    const processes = new Processes({ reportRevival: (line) => reported.push(line) });
    let child;
    const ready = async (started) => {
      child = started;
      await said('mortal', 'up');
    };
    await processes.start({ ...program('mortal', forever), port: 8080, ready }, STAGE.app);
    for (const lives of [1, 2]) {
      child.kill('SIGKILL');
      while (reported.length < lives * 3) await new Promise(setImmediate);
    }
    assert.match(reported[0], /mortal was ended by SIGKILL[^]*up/);
    assert.deepEqual(reported.slice(1, 3), ['    starting mortal again on port 8080', '    mortal is ready again']);
    child.kill('SIGKILL');
    assert.match((await processes.death).message, /mortal was ended by SIGKILL[^]*up/);
    await processes.stop();
  });

  test('ends the apps before the broker', async () => {
    const processes = new Processes();
    await processes.start(program('broker', forever), STAGE.broker);
    await processes.start(program('app', forever), STAGE.app);
    await Promise.all([said('broker', 'up'), said('app', 'up')]);
    await processes.stop();
    const [app, broker] = await Promise.all(
      ['app', 'broker'].map(async (name) =>
        Number(/bye (\d+)/.exec(await readFile(join(dir, 'logs', `${name}.log`), 'utf8'))[1]),
      ),
    );
    assert.ok(app <= broker);
  });

  test('says what was wrong with one that is never ready', async () => {
    const processes = new Processes();
    const child = await processes.start(program('slow', forever), STAGE.app);
    await said('slow', 'up');
    await assert.rejects(whenReady(child, 'http://127.0.0.1:1', 200), /slow was not ready within 0\.2 s[^]*up/);
    await processes.stop();
  });
});

test('gives another port when the wanted one is taken or promised', async (t) => {
  const taken = await listening(t, createTcpServer());
  assert.notEqual(await freePortOr(taken), taken);
  const free = await freePortOr(0);
  assert.equal(await freePortOr(free), free);
  assert.notEqual(await freePortOr(free, [free]), free);
});

test('lets one run at a time use the data, and forgets one that crashed', async () => {
  const data = join(dir, 'data');
  await mkdir(data);
  await writeFile(join(data, 'run.json'), JSON.stringify({ pid: 2 ** 22 + 1 }));
  const lock = await takeRunLock(data);
  assert.equal(JSON.parse(await readFile(join(data, 'run.json'), 'utf8')).pid, process.pid);
  await lock.release();
  assert.equal(await currentRun(data), undefined);
});

test('says what is in the way of a run', async () => {
  const data = join(dir, 'blocked');
  const turn = join(data, 'run.json.turn');
  await mkdir(data);
  await writeFile(turn, '');
  await utimes(turn, 1, 1);
  await assert.rejects(takeRunLock(data), /run\.json\.turn is in the way \(ENOTDIR\): remove it, and start again$/);
  await rm(turn);
  await mkdir(join(turn, 'filled'), { recursive: true });
  await utimes(turn, 1, 1);
  await assert.rejects(takeRunLock(data), /\(ENOTEMPTY\)/);
  await rm(turn, { recursive: true });
  await mkdir(turn);
  await utimes(turn, 1, 1);
  await (await takeRunLock(data)).release();
});

test('lets one of many that start at the same moment have the data', async () => {
  const data = join(dir, 'contested');
  await mkdir(data);
  await writeFile(join(data, 'run.json'), JSON.stringify({ pid: 2 ** 22 + 1 }));
  const script = join(dir, 'start.mjs');
  await writeFile(
    script,
    `import { takeRunLock } from '${new URL('./run-lock.mjs', import.meta.url)}';
    const answer = await takeRunLock(process.argv[2]).then(() => 'taken', () => 'refused');
    console.log(answer);
    process.stdin.resume();`,
  );
  const rivals = Array.from({ length: 4 }, () => spawn(process.execPath, [script, data]));
  const answers = await Promise.all(
    rivals.map(({ stdout }) => new Promise((resolve) => stdout.once('data', (line) => resolve(String(line).trim())))),
  );
  for (const { stdin } of rivals) stdin.end();
  assert.deepEqual(answers.sort(), ['refused', 'refused', 'refused', 'taken']);
});

test('names the variable when it is not a port', () => {
  for (const name of ['PORT', 'GRPC_PORT']) {
    for (const asked of ['abc', '0', '65536', '80.5', '-1']) {
      assert.throws(() => askedPort(asked, name), {
        message: `${name} must be a whole number from 1 to 65535; it is "${asked}"`,
      });
    }
  }
  const all = ['8090', '', undefined].map((asked) => askedPort(asked));
  assert.deepEqual(all, [8090, undefined, undefined]);
});

describe('keys', () => {
  test('are those that the user names', async () => {
    assert.equal(await ensureKeys(dir, { KEYS_FILE: 'mine.json' }), 'mine.json');
  });

  test('are those of an earlier run, which are not touched', async () => {
    const file = join(dir, 'keys.json');
    await writeFile(file, 'kept');
    assert.equal(await ensureKeys(dir, {}), file);
    assert.equal(await readFile(file, 'utf8'), 'kept');
  });
});

describe('start', () => {
  const modulesOf = (args, env = {}) => startOptions(args, dir, env).env.AGENT_MODULES;

  test('takes files of the current folder, and names of packages', async () => {
    await writeFile(join(dir, 'agent.mjs'), '');
    const given = ['--agents', 'agent.mjs, some-package', '--agents', './agent.mjs', '--default-agent', 'poet'];
    assert.equal(modulesOf(given), [join(dir, 'agent.mjs'), 'some-package', join(dir, 'agent.mjs')].join(','));
  });

  test('takes files that its own build makes before they are there', () => {
    const file = join(ROOT, 'dist', 'deploy', 'examples', 'agents', 'made-by-the-build.js');
    assert.equal(modulesOf(['--agents', file]), file);
    assert.throws(() => modulesOf(['--agents', join(dir, 'dist', 'not-made.js')]), WrongUseError);
  });

  test('leaves to the environment what no argument says', () => {
    assert.equal(modulesOf([], { AGENT_MODULES: './mine.js' }), './mine.js');
    assert.equal(modulesOf([], {}), undefined);
    assert.equal(startOptions([], dir, {}).env.SAMPLE_AGENTS, undefined);
    assert.equal(startOptions(['--no-samples'], dir, {}).env.SAMPLE_AGENTS, 'false');
  });

  test('serves at the root whom somebody names, else our own, else the first', () => {
    const rootOf = (args, env, hosted) => rootAgent(startOptions(args, dir, env).defaultAgent, hosted);
    const mine = { DEFAULT_AGENT: 'mine' };
    assert.deepEqual(rootOf(['--default-agent', 'poet'], mine, ['echo']), { id: 'poet', from: '--default-agent' });
    assert.deepEqual(rootOf([], mine, ['echo']), { id: 'mine', from: 'DEFAULT_AGENT' });
    assert.equal(rootOf([], { DEFAULT_AGENT: '' }, ['poet', 'trip-planner']).id, 'trip-planner');
    assert.equal(rootOf([], {}, ['poet', 'painter']).id, 'poet');
  });

  test('lets webhooks into private networks only where that is said', () => {
    const settingOf = (args, env = {}) => startOptions(args, dir, env).env.ALLOW_PRIVATE_WEBHOOKS;
    assert.equal(settingOf(['--allow-private-webhooks']), 'true');
    assert.equal(settingOf([]), undefined);
    assert.equal(settingOf([], { ALLOW_PRIVATE_WEBHOOKS: 'true' }), 'true');
  });

  test('refuses a file that is not there, and what is no argument', () => {
    for (const args of [['--agents', './none.js'], ['--agents', 'a,,b'], ['--default-agent', 'a b'], ['x']]) {
      assert.throws(() => startOptions(args, dir, {}), WrongUseError);
    }
  });

  test('waits until the agents are known, and says whom there are when one never is', async (t) => {
    let asked = 0;
    const gateway = createServer(({ url }, response) => {
      asked += 1;
      const isList = url === '/agents';
      if (!isList && asked < 4) response.writeHead(404);
      const ids = ['echo', ...(asked < 3 ? [] : ['poet'])];
      const card = { skills: [{}, { examples: ['the sea'] }] };
      response.end(JSON.stringify(isList ? { agents: ids.map((id) => ({ id })) } : card));
    });
    const url = `http://127.0.0.1:${await listening(t, gateway)}`;
    const poet = { id: 'poet', from: '--default-agent' };
    assert.deepEqual(await servedAgents(url, ['poet']), ['echo', 'poet']);
    assert.equal(firstWordsFor(await cardOf(url, poet, [])), 'the sea');
    assert.equal(firstWordsFor({}), 'Hello');
    asked = Number.NEGATIVE_INFINITY;
    const served = await servedAgents(url, ['poet'], 200);
    await assert.rejects(cardOf(url, poet, served), {
      message: 'no agent here has the id poet, which --default-agent names; there is: echo',
    });
  });

  test('looks for files where the user typed the command', () => {
    assert.equal(callersFolder({ npm_lifecycle_event: 'tidemark', INIT_CWD: '/there' }), '/there');
    assert.equal(callersFolder({ npm_lifecycle_event: 'start', INIT_CWD: '/there' }), process.cwd());
  });
});

test('writes declarations that know nothing of short names', () => {
  const folder = join(ROOT, 'dist', 'libs', 'agent', 'src');
  const declaration = `import type { Task } from '@tidemark/domain';\nexport type T = import("@tidemark/domain").Task;`;
  assert.equal(
    withoutAliases(declaration, folder),
    `import type { Task } from '../../domain/src';\nexport type T = import("../../domain/src").Task;`,
  );
});

test('takes only a Tidemark for a Tidemark', async (t) => {
  const gateway = await startStandIn();
  t.after(gateway.close);
  assert.equal(await isTidemark(gateway.baseUrl), true);
  const stranger = createServer((_, response) => void response.end('hi'));
  assert.equal(await isTidemark(`http://127.0.0.1:${await listening(t, stranger)}`), false);
  assert.equal(await isTidemark('http://127.0.0.1:1'), false);
});

describe('conversation', () => {
  test('prints four titles, each followed by its line of JSON', async (t) => {
    const gateway = await startStandIn();
    t.after(gateway.close);
    const printed = [];
    await holdConversation(gateway.baseUrl, (line) => printed.push(...line.split('\n')));
    const values = Object.fromEntries(printed.map((line, i) => [line, printed[i + 1]]).filter((_, i) => i % 2 === 0));
    assert.deepEqual(Object.keys(values), ['DISCOVERED_AGENT_CARD', 'FIRST_RESPONSE', 'FINAL_RESPONSE', 'GET_TASK']);
    assert.deepEqual(JSON.parse(values.FINAL_RESPONSE).artifacts, [{ name: 'trip-plan', text: 'By train' }]);
    assert.equal(JSON.parse(values.GET_TASK).artifactCount, 1);
  });

  test('fails when the first task does not ask for more', async (t) => {
    const gateway = await startStandIn({ firstState: 'TASK_STATE_COMPLETED' });
    t.after(gateway.close);
    await assert.rejects(holdConversation(gateway.baseUrl, ignore), /the first task .* is TASK_STATE_COMPLETED, not/);
  });
});

describe('replay', () => {
  test('accepts a resume that misses nothing', async (t) => {
    const gateway = await startStandIn();
    t.after(gateway.close);
    const printed = [];
    await showReplay(gateway.baseUrl, (line) => printed.push(line));
    assert.match(printed.at(-1), /14 events in order, none missing/);
  });

  test('notices one event that is missing', async (t) => {
    const gateway = await startStandIn({ skipped: 7 });
    t.after(gateway.close);
    await assert.rejects(showReplay(gateway.baseUrl, ignore), /event 8-108 came after 6-106/);
  });

  test('reads events whatever the pieces in which they arrive', async () => {
    const bytes = new TextEncoder().encode(': hello\r\n\r\nid: 1-2\r\ndata: {"a":\r\ndata: "差"}\r\n\r\n');
    for (const size of [1, 3, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      );
      const events = [];
      for await (const event of serverSentEvents(pieces)) events.push(event);
      assert.deepEqual(events, [{ id: '1-2', data: '{"a":\n"差"}' }]);
    }
  });
});

test('closes with one line over all runs', () => {
  const tap = tallyOfTap('# tests 5\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n');
  assert.equal(closingLine(sum(tap, { passed: 10, failed: 0, skipped: 2 })), '13 passed, 1 failed, 3 skipped');
});
