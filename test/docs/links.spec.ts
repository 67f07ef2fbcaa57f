import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readDocument, ROOT } from './markdown';

const PAGES = readdirSync(join(ROOT, 'docs/adr')).filter((file) => /^\d{4}-.*\.md$/.test(file));
const REFERENCES = readdirSync(join(ROOT, 'docs/reference')).filter((file) => file.endsWith('.md'));
const GUIDES = readdirSync(join(ROOT, 'docs/guides')).filter((file) => file.endsWith('.md'));
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/adr/README.md',
  ...PAGES.map((file) => `docs/adr/${file}`),
  ...REFERENCES.map((file) => `docs/reference/${file}`),
  ...GUIDES.map((file) => `docs/guides/${file}`),
  'deploy/examples/README.md',
  'deploy/examples/python-executor/README.md',
  'deploy/examples/webhook-receivers/README.md',
];

/** The longest line of prose that is read without effort in an editor; tables and commands are as long as they are. */
const LINE_LENGTH = 130;

const titleOf = (file: string): string => /^# (.*)$/m.exec(readDocument(`docs/adr/${file}`))?.[1] ?? '';

describe('docs/adr', () => {
  it('is numbered without a gap', () => {
    expect(PAGES.map((file) => Number(file.slice(0, 4)))).toEqual(PAGES.map((_, index) => index + 1));
  });

  it('has an index with every page and its title', () => {
    const entries = [...readDocument('docs/adr/README.md').matchAll(/^(\d+\. )\[(.*)\]\((.*)\)$/gm)];
    expect(entries.map(([, number, title, file]) => [`${number}${title}`, file])).toEqual(
      PAGES.map((file) => [titleOf(file), file]),
    );
  });

  it.each(PAGES)('says in %s what the problem was, what was decided and what follows', (file) => {
    const headings = [...readDocument(`docs/adr/${file}`).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences']);
  });
});

describe.each(DOCUMENTS)('%s', (path) => {
  const document = readDocument(path);

  it('links to files that are there', () => {
    const targets = [...document.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '');
    expect(targets.filter((target) => !existsSync(resolve(ROOT, dirname(path), target)))).toEqual([]);
  });

  it('names files that are there', () => {
    const named = [...document.matchAll(/`((?:apps|libs|test|deploy|docs)\/[\w./-]+)`/g)].map(([, file]) => file ?? '');
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('links to headings that are there', () => {
    const targets = [...document.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, file, anchor = '']) => ({
      file: file ? resolve(ROOT, dirname(path), file) : path,
      anchor,
    }));
    expect(targets.filter(({ file, anchor }) => !anchorsIn(file).includes(anchor))).toEqual([]);
  });

  it('cites no line of a file', () => {
    expect(document).not.toMatch(/\.(?:ts|mjs|cjs):\d|\blines? \d/i);
  });
});

describe.each(['README.md', 'ARCHITECTURE.md'])('%s', (path) => {
  it('has no long lines of prose', () => {
    const prose = readDocument(path)
      .replace(/^```.*?^```$/gms, '')
      .split('\n');
    expect(prose.filter((line) => !line.startsWith('|') && line.length > LINE_LENGTH)).toEqual([]);
  });
});

/** As GitHub makes them of headings. */
const anchorsIn = (file: string): string[] =>
  [...readDocument(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
