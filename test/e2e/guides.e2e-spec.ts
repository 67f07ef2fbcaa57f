import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument, ROOT } from '../docs/markdown';
import { snippetsIn } from '../docs/snippets';
import { type Python, pythonWith } from './python';
import { System } from './system';

/** The programs and the requests that guides and references show, as they stand there. */

const RESUME = readDocument('docs/guides/resume.md');
const [forOne = '', forLegacy = ''] = snippetsIn(RESUME, 'js');
/** Where a program finds the packages of this repository. */
const CACHE = join(ROOT, 'node_modules/.cache');

let system: System;
let folder: string;

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'tidemark-guides-'));
  system = await System.start('gateway');
});

afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function printed(program: readonly [string, ...string[]]): Promise<string[]> {
  const [file, ...args] = program;
  const url = `${system.app('gateway').url}/agents/ticker/`;
  return (await promisify(execFile)(file, [...args, url], { timeout: 30_000 })).stdout.trim().split('\n');
}

function saved(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

/** The client of the second snippet takes the place of that of the first. */
const legacyProgram = (): string =>
  forLegacy + forOne.replace(/^import \{ ClientFactory \}.*\n/m, '').replace(/^const client = .*\n/m, '');

/** Cards of 0.3 are what a server of 0.3 has: without them the client would speak 1.0. */
const ASK_FOR_0_3 = `const original = globalThis.fetch;
globalThis.fetch = (url, init) =>
  original(url, String(url).endsWith('agent-card.json') ? { ...init, headers: { 'A2A-Version': '0.3' } } : init);
`;

const EVENTS = [1, 2, 3, 'coming back', 3, 4, 5, 6, 7, 8, 9];
const versionsIn = (lines: readonly string[]): unknown[] =>
  lines.map((line) => (/^\d+-\d+ /.test(line) ? Number.parseInt(line) : line));

describe('docs/guides/resume.md', () => {
  const python: Python = pythonWith({
    ...{ name: 'python-a2a', packages: 'a2a-sdk[signing]==1.3.0', module: 'a2a.utils.signing' },
  });
  const withPython = 'missing' in python ? it.skip : it;

  it('has a program in JavaScript that misses nothing, and prints what the guide says', async () => {
    const lines = await printed([process.execPath, saved('resume.mjs', forOne)]);
    expect(versionsIn(lines)).toEqual(EVENTS);
    const [shown = ''] = snippetsIn(RESUME, 'text');
    expect(lines.map(withoutSequence).slice(0, 6)).toEqual(shown.trim().split('\n').map(withoutSequence));
  });

  it('has a client for A2A 0.3 that does the same', async () => {
    const preload = saved('preload.mjs', ASK_FOR_0_3);
    const lines = await printed([process.execPath, '--import', preload, saved('legacy.mjs', legacyProgram())]);
    expect(versionsIn(lines)).toEqual(EVENTS);
  });

  withPython('has a program in Python that misses nothing', async () => {
    const [program = ''] = snippetsIn(RESUME, 'python');
    const interpreter = 'interpreter' in python ? python.interpreter : '';
    expect(versionsIn(await printed([interpreter, saved('resume.py', program)]))).toEqual(EVENTS);
  });
});

const withoutSequence = (line: string): string => line.replace(/^(\d+)-\d+/, '$1');

describe('docs/reference/versions.md', () => {
  const requests = snippetsIn(readDocument('docs/reference/versions.md'), 'sh').map((command) => {
    const [, path, body] = /localhost:8080(\S+) .*-d '(.*)'/s.exec(command) ?? [];
    return { path: path ?? '', body: body ?? '' };
  });

  it('shows a request for JSON-RPC and one for REST', () => {
    expect(requests.map(({ path }) => path)).toEqual(['/agents/echo', '/agents/echo/v1/message:send']);
  });

  it.each(requests)('shows one of 0.3 that is taken at $path', async ({ path, body }) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const reply = await fetch(`${system.app('gateway').url}${path}`, init);
    expect(await reply.json()).toMatchObject(
      path.endsWith('send')
        ? { task: { status: { state: 'TASK_STATE_COMPLETED' }, history: [{ content: [{ text: 'hello' }] }] } }
        : { result: { kind: 'task', status: { state: 'completed' } } },
    );
  });
});
