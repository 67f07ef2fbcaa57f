import { freePort } from '@tidemark/testing';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingsIn, readDocument, sectionOf } from '../docs/markdown';
import { snippetsIn } from '../docs/snippets';
import { Client, said, textsOf } from './client';
import { Project, ROOT, type Running } from './project';

const GUIDE = readDocument('docs/guides/write-an-agent.md');
const READY = 'Ctrl-C ends it';

const shellOf = (heading: string): string[] => snippetsIn(sectionOf(GUIDE, `## ${heading}`), 'sh');

const [INIT = '', START = '', FIRST_CALL = '', ANSWER = ''] = shellOf('Start');
const [TEST = ''] = shellOf('Try it without a broker');
const [AUTHORIZE = ''] = shellOf('Permission from somebody else');

const stateIn = (answer: string): unknown => /"state":"(\w+)"/.exec(answer)?.[1];
const taskIdIn = (answer: string): string => /"task":\{"id":"([^"]+)"/.exec(answer)?.[1] ?? '';

describe('the guide, "Write an agent in five minutes"', () => {
  const project = new Project();
  let port: number;
  let running: Running | undefined;

  /** A line of the guide with what is different here. */
  const here = (line: string, id = ''): string =>
    line.replace('../my-agent', project.folder).replace('localhost:8080', `localhost:${port}`).replace('<id>', id);

  const npmStart = async (): Promise<Running> => {
    const env = { PORT: String(port) };
    return (running = await project.start('npm start', { words: READY, env }));
  };

  beforeAll(async () => {
    port = await freePort();
  });

  afterAll(() => project.remove());

  it('begins with a project that is written by its first line', async () => {
    const { code, stdout } = await project.sh(here(INIT), { cwd: ROOT });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`cd ${project.folder}`)]);
    expect(readdirSync(project.folder).sort()).toEqual([
      ...['.gitignore', 'README.md', 'package.json', 'src', 'tsconfig.json'],
    ]);
  });

  it('has a project that installs, and whose test passes', async () => {
    const installed = await project.sh('npm install --prefer-offline --no-audit --no-fund');
    expect([installed.code, installed.stderr]).toEqual([0, expect.not.stringContaining('ERR')]);
    const { code, stdout } = await project.sh(TEST);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/pass 2/)]);
  });

  it('shows a rehearsal that runs as it stands', async () => {
    const [rehearsal = ''] = snippetsIn(sectionOf(GUIDE, '## Try it without a broker'), 'ts');
    writeFileSync(join(project.folder, 'src', 'trial.ts'), rehearsal);
    expect(await project.sh('npm run --silent build && node dist/trial.js')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('starts everything, and gets the answers that it promises', async () => {
    expect(START.trim().split('\n')).toEqual(['cd ../my-agent', 'npm install', 'npm start']);
    await npmStart();
    const asked = await project.sh(here(FIRST_CALL));
    expect(stateIn(asked.stdout)).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await project.sh(here(ANSWER, taskIdIn(asked.stdout)));
    expect(stateIn(done.stdout)).toBe('TASK_STATE_COMPLETED');
    const task = await new Client(`http://127.0.0.1:${port}/agents/my-agent`).get(taskIdIn(asked.stdout));
    expect(textsOf(task, 'lines')).toHaveLength(2);
  });

  it('calls it as the README of the project does, and as its banner does', async () => {
    const readme = readFileSync(join(project.folder, 'README.md'), 'utf8');
    expect(snippetsIn(readme, 'sh').slice(1)).toEqual([FIRST_CALL, ANSWER]);
    const line = /curl -s .*/.exec(running?.output() ?? '')?.[0] ?? '';
    expect(stateIn((await project.sh(line)).stdout)).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('ends at a Ctrl-C, and finds its tasks at the next start', async () => {
    await running?.interrupt();
    expect(running?.output()).toContain('Stopped.');
    expect(existsSync(join(project.folder, '.tidemark', 'run.json'))).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('has an agent that waits for `tidemark authorize`', async () => {
    const [code = ''] = snippetsIn(sectionOf(GUIDE, '## Permission from somebody else'), 'ts');
    writeFileSync(join(project.folder, 'src', 'agent.ts'), code);
    expect((await project.sh(TEST)).stdout).toMatch(/pass 2/); // whatever the agent does now
    const { output } = await npmStart();
    expect(output()).toContain('found 2 tasks of earlier runs');
    const asked = await project.sh(here(FIRST_CALL));
    expect(stateIn(asked.stdout)).toBe('TASK_STATE_AUTH_REQUIRED');
    const client = new Client(`http://127.0.0.1:${port}/agents/my-agent`);
    const id = taskIdIn(asked.stdout);
    expect(await project.sh(here(AUTHORIZE, id))).toMatchObject({ code: 0 });
    while ((await client.get(id)).status.state !== 'TASK_STATE_COMPLETED');
    expect(textsOf(await client.get(id), 'order')).toEqual(['approved by olivia']);
    await running?.interrupt();
  });

  it('has no line for the shell that is not run here', () => {
    const all = headingsIn(GUIDE, 2).flatMap(shellOf);
    expect(all).toEqual([INIT, START, FIRST_CALL, ANSWER, TEST, AUTHORIZE]);
  });
});

describe('the package', () => {
  const project = new Project('own');

  afterAll(() => project.remove());

  it('runs what it needs from node_modules, and hosts an ES module that awaits at its top level', async () => {
    mkdirSync(project.folder);
    writeFileSync(join(project.folder, 'package.json'), '{ "private": true }');
    writeFileSync(join(project.folder, 'agent.mjs'), TIDES);
    const packed = await project.sh(`npm pack --ignore-scripts --silent --pack-destination ${project.base}`, {
      cwd: ROOT,
    });
    expect(packed.code).toBe(0);
    const install = `npm install --prefer-offline --no-audit --no-fund ${join(project.base, packed.stdout.trim())}`;
    expect((await project.sh(install)).code).toBe(0);
    const poet = await project.sh('npx --no-install tidemark init poet && cat poet/package.json');
    const { version } = JSON.parse(readDocument('package.json')) as { version: string };
    expect(poet.stdout).toContain(`"tidemark": "${version}"`);

    const port = await freePort();
    const line = 'npx --no-install tidemark start --agents agent.mjs --default-agent tides';
    const running = await project.start(line, { words: READY, env: { PORT: String(port) } });
    const task = await new Client(`http://127.0.0.1:${port}/`).send(said('say'));
    expect(textsOf(task, 'word')).toEqual(['tide']);
    await running.interrupt();
    expect(running.output()).toContain('Stopped.');
    expect(existsSync(join(project.folder, '.tidemark', 'nats'))).toBe(true);
    expect(statSync(join(project.folder, '.tidemark', 'keys.json')).mode & 0o777).toBe(0o600);
  });

  const TIDES = `
    import { artifact, completed, text } from 'tidemark/agent';
    const word = await Promise.resolve('tide');
    export const agent = {
      profile: {
        ...{ id: 'tides', name: 'Tides', description: 'Says a word', version: '1.0.0', skills: [] },
        ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
        skills: [{ id: 'say', name: 'Say', description: 'Says it', tags: ['word'] }],
      },
      async *run() {
        yield artifact({ name: 'word', parts: [text(word)] });
        yield completed();
      },
    };`;
});

describe('tidemark init', () => {
  const project = new Project();
  const cli = join(ROOT, 'dist/apps/cli/main.js');
  const init = (args: string) => project.sh(`node ${cli} init ${args}`, { cwd: project.base });

  afterAll(() => project.remove());

  it('takes an id and a name, and writes them wherever they belong', async () => {
    expect((await init('poet --id sea-poet --name "Poet & friends"')).code).toBe(0);
    const file = (name: string) => readFileSync(join(project.base, 'poet', name), 'utf8');
    expect(file('src/profile.ts')).toContain("id: 'sea-poet',\n  name: 'Poet & friends',");
    expect(file('package.json')).toContain('"name": "sea-poet"');
    expect(file('package.json')).not.toContain('--default-agent');
    expect(file('README.md')).toContain('# Poet & friends');
    expect(`${file('package.json')}${file('README.md')}${file('src/profile.ts')}`).not.toMatch(/my-agent|My agent/);
  });

  it('overwrites nothing', async () => {
    mkdirSync(join(project.base, 'full'));
    writeFileSync(join(project.base, 'full', 'thesis.txt'), 'ten years of work');
    writeFileSync(join(project.base, 'file'), '');
    expect(await init('full')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('full is not empty') as string,
    });
    expect(readdirSync(join(project.base, 'full'))).toEqual(['thesis.txt']);
    expect(await init('file')).toMatchObject({ code: 1, stderr: expect.stringContaining('file is a file') as string });
  });

  it('is refused with its usage where it is used in a wrong way', async () => {
    const { code, stderr } = await init('echo');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/"echo".* the name is taken.*tidemark init <folder>/s)]);
    expect(existsSync(join(project.base, 'echo'))).toBe(false);
  });
});

describe('tidemark start', () => {
  const project = new Project();
  const start = (args: string) =>
    project.sh(`node ${join(ROOT, 'deploy/local/tidemark.mjs')} start ${args}`, { cwd: project.base });

  afterAll(() => project.remove());

  it.each([
    ['--agents ./dist/agent.js', 'dist/agent.js. Has it been built?'],
    ['--agents ,', '--agents takes modules with commas between them'],
    ['--default-agent "no such"', '--default-agent must be 1 to 64 of A-Z a-z 0-9 _ -'],
    ['--agent x', "Unknown option '--agent'"],
  ])('refuses `%s` and says why', async (args, reason) => {
    expect(await start(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) as string });
    expect(readdirSync(project.base)).toEqual([]);
  });
});
