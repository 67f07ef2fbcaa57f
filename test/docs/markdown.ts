import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** A file of this repository. */
export const readDocument = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** What stands below a heading, up to the next one of its level or a higher one. */
export function sectionOf(document: string, heading: string): string {
  const lines = document.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`The document has no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => levelOf(line) > 0 && levelOf(line) <= levelOf(heading));
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

/** The headings of a level, without their marks. */
export const headingsIn = (section: string, level: number): string[] =>
  section
    .split('\n')
    .filter((line) => levelOf(line) === level)
    .map((line) => line.slice(level + 1));

/** The rows of the first table of a section, by the names of its columns. */
export function tableIn(section: string): Record<string, string>[] {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  if (start < 0) throw new Error('The section has no table');
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const [head, , ...rows] = lines.slice(start, length < 0 ? undefined : start + length).map(cellsOf);
  return rows.map((row) => Object.fromEntries((head ?? []).map((name, index) => [name, row[index] ?? ''])));
}

/** The JSON blocks of a section. */
export const jsonIn = (section: string): unknown[] =>
  [...section.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block]) => JSON.parse(block ?? '') as unknown);

/** The words of a cell that are marked as code. */
export const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');

/** A cell that is code altogether, without its marks; undefined for any other. */
export const onlyCode = (cell: string | undefined): string | undefined => /^`([^`]*)`$/.exec(cell ?? '')?.[1];

const levelOf = (line: string): number => /^(#+) /.exec(line)?.[1]?.length ?? 0;

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
