import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeIn, headingsIn, readDocument, ROOT, sectionOf, tableIn } from './markdown';

/** Rows might wait for tests that are still to be written. Now there are none, and this stays so. */
const PENDING_IS_ALLOWED = false;

const NOT_ROWS = ['The compatibility kits', 'The clients'];
const SEPARATOR = ' › ';

const document = readDocument('docs/reference/conformance.md');
const sections = headingsIn(document, 2).filter((heading) => !NOT_ROWS.includes(heading));
const rows = sections.flatMap((heading) => tableIn(sectionOf(document, `## ${heading}`)));

type Row = (typeof rows)[number];

const shownBy = (row: Row): string => row['Shown by'] ?? '';
const named = (row: Row): string[] => codeIn(shownBy(row)).filter((code) => code.includes(SEPARATOR));
const pending = rows.filter((row) => shownBy(row).includes('pending '));

/** A test by its file and the words of its title, as they stand in the code. */
function isThere(test: string): boolean {
  const [file = '', title = ''] = test.split(SEPARATOR);
  if (!existsSync(join(ROOT, file))) return false;
  const source = readDocument(file);
  return [`'`, '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

describe('docs/reference/conformance.md', () => {
  it('has an id of its own for every rule', () => {
    const ids = rows.map(({ Id }) => Id);
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says of every rule which test shows it, or why none does', () => {
    const silent = rows.filter((row) => {
      const isExplained = /^Not tested: \S.{10,}/.test(shownBy(row));
      return named(row).length === 0 && !isExplained && !pending.includes(row);
    });
    expect(silent.map(({ Id }) => Id)).toEqual([]);
  });

  it('names only tests that are there', () => {
    const missing = rows.flatMap((row) => named(row).map((test) => [row['Id'], test] as const));
    expect(missing.filter(([, test]) => !isThere(test))).toEqual([]);
  });

  it('waits for no test that is still to be written', () => {
    if (!PENDING_IS_ALLOWED) expect(pending.map((row) => row['Id'])).toEqual([]);
    else expect(pending.every((row) => /pending `[\w-]+\.e2e-spec\.ts`/.test(shownBy(row)))).toBe(true);
  });
});
