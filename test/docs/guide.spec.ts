import {
  type Agent,
  type Enquiry,
  type HybridAgent,
  type MessageAgent,
  Rehearsal,
  type TaskAgent,
} from '@tidemark/agent';
import type { Task } from '@tidemark/domain';
import { parseAgentProfile } from '@tidemark/protocol';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { headingsIn, readDocument, ROOT, sectionOf } from './markdown';
import { type A2aServer, startRemoteGreeter } from './remote-greeter';
import { snippetsIn } from './snippets';

const GUIDE = readDocument('docs/guides/write-an-agent.md');
const TEMPLATE = join(ROOT, 'deploy/template/typescript');

/** Where a snippet stands: its section, and its number within. */
const SNIPPETS = headingsIn(GUIDE, 2).flatMap((heading) =>
  snippetsIn(sectionOf(GUIDE, `## ${heading}`), 'ts').map((code, index) => ({ name: `${heading} ${index + 1}`, code })),
);

/** This one is run by `test/e2e/init.e2e-spec.ts`, as it stands. */
const TRIAL = 'Try it without a broker 1';

let folder: string;
let remote: A2aServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-guide-'));
  remote = await startRemoteGreeter();
  process.env['REMOTE_AGENT'] = remote.url;
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await remote.stop();
});

describe('docs/guides/write-an-agent.md', () => {
  it('has a snippet in TypeScript for every feature', () => {
    const sections = headingsIn(GUIDE, 2).filter((heading) => !['Start', 'Read on'].includes(heading));
    expect([...new Set(SNIPPETS.map(({ name }) => name.replace(/ \d+$/, '')))]).toEqual(sections);
  });

  it('has only snippets that compile in a project of `tidemark init`', () => {
    expect(complaintsAbout(SNIPPETS.map(sourceOf))).toEqual([]);
  });

  it('notices one that does not compile', () => {
    const code = "import { profile } from './profile.js';\nexport const agent: string = profile;\n";
    expect(complaintsAbout([sourceOf({ name: 'wrong', code })])).toEqual([
      expect.stringContaining("is not assignable to type 'string'"),
    ]);
  });

  it('has a run below for every snippet that is an agent', () => {
    expect(SNIPPETS.map(({ name }) => name).filter((name) => name !== TRIAL)).toEqual(Object.keys(RUNS));
  });

  it.each(SNIPPETS.filter(({ name }) => name !== TRIAL))('has an agent in "$name" that does what it says', (snippet) =>
    RUNS[snippet.name]?.(compiled(snippet)),
  );
});

const RUNS: Readonly<Record<string, (agent: Agent) => Promise<void>>> = {
  'Progress and artifacts 1': async (agent) => {
    const done = await new Rehearsal(agent as TaskAgent).say('one two three');
    expect(resultsOf(done)).toEqual({ words: ['one', 'two', 'three'], total: [{ words: 3 }] });
    const many = await new Rehearsal(agent as TaskAgent).say('word '.repeat(1_001));
    expect(many.status.state).toBe('rejected');
  },
  'Questions 1': async (agent) => {
    const rehearsal = new Rehearsal(agent as TaskAgent);
    expect((await rehearsal.say('hello')).status.state).toBe('input-required');
    expect(resultsOf(await rehearsal.say('Ada'))).toEqual({ guest: ['Ada'] });
  },
  'Permission from somebody else 1': async (agent) => {
    const rehearsal = new Rehearsal(agent as TaskAgent);
    expect((await rehearsal.say('ten lamps')).status.state).toBe('auth-required');
    const done = await rehearsal.authorize({ decision: 'granted' }, 'olivia');
    expect(resultsOf(done)).toEqual({ order: ['approved by olivia'] });
    const denied = new Rehearsal(agent as TaskAgent);
    await denied.say('ten lamps');
    expect((await denied.authorize({ decision: 'denied' })).status.state).toBe('rejected');
  },
  'Messages while it runs 1': async (agent) => {
    const rehearsal = new Rehearsal(agent as TaskAgent);
    const [done] = await Promise.all(['start', 'milk', 'stop'].map((words) => rehearsal.say(words)));
    expect(done && resultsOf(done)).toEqual({ notes: ['milk'] });
  },
  'Word by word 1': async (agent) => {
    const { poem } = resultsOf(await new Rehearsal(agent as TaskAgent).say('write'));
    expect(poem?.join('')).toBe('The tide comes in, and stays.');
  },
  'Trying again 1': async (agent) => {
    const done = await new Rehearsal(agent as TaskAgent).say('read');
    expect([done.turn?.attempt, resultsOf(done)]).toEqual([2, { pages: ['page one', 'page two', 'page three'] }]);
    const hopeless = await new Rehearsal(agent as TaskAgent).say([]);
    expect([hopeless.status.state, hopeless.turn?.attempt]).toEqual(['failed', 1]);
  },
  'Being told to stop 1': async (agent) => {
    const rehearsal = new Rehearsal(agent as TaskAgent);
    const running = rehearsal.say('count');
    rehearsal.cancel();
    expect((await running).status.state).toBe('canceled');
  },
  'Other tasks 1': async (agent) => {
    const earlier = await new Rehearsal(agent as TaskAgent).say('nothing yet');
    const referenceTaskIds = [earlier.taskId, 'lost'];
    const done = await new Rehearsal(agent as TaskAgent, [earlier]).say('sum up', { referenceTaskIds });
    expect(resultsOf(done)).toEqual({ summary: ['my-agent is completed'] });
    expect(done.status.message?.parts).toEqual([{ text: 'I know nothing of lost' }]);
  },
  'Extensions and an extended card 1': async (agent) => {
    const { profile } = agent;
    const uri = profile.extensions?.[0]?.uri ?? '';
    const declared = await new Rehearsal(agent as TaskAgent).say('hello', { extensions: [uri] });
    expect(resultsOf(declared)).toEqual({ greeting: ['My dear friend'] });
    expect(resultsOf(await new Rehearsal(agent as TaskAgent).say('hello'))).toEqual({ greeting: ['Good day'] });
    expect(parseAgentProfile(profile)).toMatchObject({ extended: { skills: [{ id: 'translate' }] } });
  },
  'Large parts 1': async (agent) => {
    const done = await new Rehearsal(agent as TaskAgent).say('hello');
    expect(resultsOf(done)).toEqual({ sha256: [createHash('sha256').update('hello').digest('hex')] });
  },
  'Answers that are no tasks 1': async (agent) => {
    const answer = await (agent as MessageAgent).respond(enquiry('hello'));
    expect(answer.said.parts).toEqual([{ text: 'You said: hello' }]);
  },
  'Answers that are no tasks 2': async (agent) => {
    const hybrid = agent as HybridAgent;
    expect((await hybrid.respond(enquiry('hello'))).type).toBe('message');
    expect((await hybrid.respond(enquiry('order a lamp'))).type).toBe('task');
    expect(resultsOf(await new Rehearsal(hybrid).say('order a lamp'))).toEqual({ order: ['order a lamp'] });
  },
  'What you have already 1': async (agent) => {
    const done = await new Rehearsal(agent as TaskAgent).say('hello');
    expect([done.status.state, resultsOf(done)]).toEqual(['completed', { greeting: ['Good morning'] }]);
  },
  'What you have already 2': async (agent) => {
    const proxied = (await Promise.resolve(agent)) as TaskAgent;
    const done = await new Rehearsal(proxied).say('hello');
    expect([proxied.profile.name, resultsOf(done)]).toEqual(['Remote agent', { answer: ['Good morning'] }]);
  },
};

const enquiry = (words: string): Enquiry => ({
  message: { messageId: 'm-1', role: 'user', parts: [{ text: words }] },
  contextId: 'context-1',
  extensions: [],
  signal: new AbortController().signal,
  references: async () => ({ tasks: [], unknown: [] }),
});

/** What the artifacts of a task hold, by their names. */
const resultsOf = ({ artifacts }: Task): Record<string, unknown[]> =>
  Object.fromEntries(
    artifacts.map(({ artifactId, parts }) => [
      artifactId,
      parts.toArray().map((part) => ('text' in part ? part.text : 'data' in part ? part.data : part)),
    ]),
  );

type Snippet = (typeof SNIPPETS)[number];

const isAgent = ({ code }: Snippet): boolean => code.includes('export const agent');

/** The file of a snippet in a project of its own: it is the agent there, or stands beside the one of the template. */
function sourceOf(snippet: Snippet): string {
  const source = join(folder, snippet.name.replaceAll(' ', '-'), 'src');
  mkdirSync(source, { recursive: true });
  cpSync(join(TEMPLATE, 'package.json'), join(source, '..', 'package.json'));
  for (const file of ['profile.ts', 'agent.ts']) cpSync(join(TEMPLATE, 'src', file), join(source, file));
  const file = join(source, isAgent(snippet) ? 'agent.ts' : 'trial.ts');
  writeFileSync(file, snippet.code);
  return file;
}

/** What the compiler says, with the settings of the template and our own types. */
function complaintsAbout(files: readonly string[]): string[] {
  const read = (file: string) => ts.readConfigFile(file, (path) => ts.sys.readFile(path)).config as Config;
  const { options } = ts.convertCompilerOptionsFromJson(read(join(TEMPLATE, 'tsconfig.json')).compilerOptions, ROOT);
  const { paths = {} } = read(join(ROOT, 'tsconfig.json')).compilerOptions;
  const program = ts.createProgram(files, {
    ...{ ...options, rootDir: undefined, noEmit: true, noUnusedLocals: true, skipLibCheck: true },
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: Object.fromEntries(Object.entries(paths).map(([name, found]) => [name, found.map((at) => join(ROOT, at))])),
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

type Config = { readonly compilerOptions: { readonly paths?: Readonly<Record<string, readonly string[]>> } };

/** The agent of a snippet, as it is once compiled. */
function compiled({ name, code }: Snippet): Agent {
  const target = join(folder, 'compiled', name.replaceAll(' ', '-'));
  mkdirSync(target, { recursive: true });
  const profile = readDocument('deploy/template/typescript/src/profile.ts');
  for (const [file, source] of Object.entries({ profile, agent: code })) {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    writeFileSync(join(target, `${file}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
  return (createRequire(__filename)(join(target, 'agent.js')) as { agent: Agent }).agent;
}
