import { commonSettings } from '@tidemark/platform';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { codeIn, onlyCode, readDocument, ROOT, sectionOf, tableIn } from './markdown';

const document = readDocument('docs/reference/config.md');

type Row = { readonly name: string; readonly cells: Record<string, string>; readonly setting: z.ZodType };

const settingsFile = (app: string): string => join(ROOT, 'apps', app, 'src', 'settings.ts');
const APPS = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(settingsFile(app)));
const COMMON = Object.keys(commonSettings);
const OTHER_SECTIONS = ['Every app', 'The command line', 'The local launcher'];

const shapes = new Map<string, Readonly<Record<string, z.ZodType>>>([['Every app', commonSettings]]);

beforeAll(async () => {
  for (const app of APPS) {
    const { settings } = (await import(settingsFile(app))) as { settings: z.ZodObject };
    shapes.set(app, settings.shape);
  }
});

const namesIn = (heading: string): string[] =>
  tableIn(sectionOf(document, `## ${heading}`)).map((row) => onlyCode(row.Variable) ?? '');

const rowsOf = (heading: string): Row[] =>
  tableIn(sectionOf(document, `## ${heading}`)).map((cells) => {
    const name = onlyCode(cells.Variable) ?? '';
    const setting = shapes.get(heading)?.[name];
    if (!setting) throw new Error(`${heading} has no setting ${name}`);
    return { name, cells, setting };
  });

describe.each(['Every app', ...APPS])('docs/reference/config.md, %s', (heading) => {
  it('lists every setting, and no other', () => {
    const names = Object.keys(shapes.get(heading) ?? {});
    const own = heading === 'Every app' ? names : names.filter((name) => !COMMON.includes(name));
    expect(namesIn(heading)).toEqual(own);
  });

  it('says what each one means in the words of the code', () => {
    const meanings = rowsOf(heading).map(({ name, cells }) => [name, cells.Meaning]);
    expect(meanings).toEqual(rowsOf(heading).map(({ name, setting }) => [name, setting.description]));
  });

  it('gives the defaults of the code', () => {
    for (const { name, cells, setting } of rowsOf(heading)) {
      const value = setting.parse(undefined);
      const written = onlyCode(cells.Default);
      if (written !== undefined) expect([name, String(value)]).toEqual([name, written]);
      else expect([name, value === undefined ? 'none' : 'computed']).toEqual([name, cells.Default]);
    }
  });

  it('gives the bounds of the code', () => {
    for (const row of rowsOf(heading)) {
      expect([row.name, accepted(row, inside(row))]).toEqual([row.name, inside(row)]);
      expect([row.name, accepted(row, outside(row))]).toEqual([row.name, []]);
    }
  });
});

it('docs/reference/config.md has a section for each app that has settings, and for no other', () => {
  const headings = [...document.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  const apps = headings.filter((heading) => !OTHER_SECTIONS.includes(heading ?? ''));
  expect(apps.sort()).toEqual([...APPS].sort());
});

it('docs/reference/config.md lists what the launcher reads', () => {
  const launcher = join(ROOT, 'deploy', 'local');
  const files = readdirSync(launcher, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
  const sources = files
    .filter((file) => !file.endsWith('.test.mjs'))
    .map((file) => readDocument(join('deploy/local', file)));
  const read = sources.flatMap((source) => [...source.matchAll(/\benv\.([A-Z_]+)/g)].map(([, name]) => name));
  expect(namesIn('The local launcher').sort()).toEqual([...new Set(read)].sort());
});

const accepted = ({ setting }: Row, values: readonly string[]): string[] =>
  values.filter((value) => setting.safeParse(value).success);

/** The least and the largest value, or each one that is listed. */
function inside({ cells }: Row): string[] {
  if (cells.Type === 'integer') return rangeOf(cells).map(String);
  return isListed(cells) ? codeIn(cells.Allowed ?? '') : [];
}

function outside({ cells }: Row): string[] {
  if (cells.Type === 'text') return [];
  if (cells.Type !== 'integer') return ['none of these'];
  const [least, largest] = rangeOf(cells);
  return [String(least - 1), String(least + 0.5), String(largest + 1), 'many'];
}

const isListed = ({ Type }: Row['cells']): boolean => ['one of', 'boolean', 'list'].includes(Type ?? '');

/** `1 to 5`, or `1 or more`. */
function rangeOf({ Allowed = '' }: Row['cells']): [number, number] {
  const [, least, largest = Number.MAX_SAFE_INTEGER] = /^(\d+) (?:to (\d+)|or more)$/.exec(Allowed) ?? [];
  return [Number(least), Number(largest)];
}
