import { join } from 'node:path';
import { codeIn, onlyCode, readDocument, ROOT, sectionOf, tableIn } from './markdown';

const document = readDocument('CONTRIBUTING.md');

type Rule = { readonly name: string; readonly to: { readonly pathNot?: string | readonly string[] } };

let rules: readonly Rule[];

beforeAll(async () => {
  const config = (await import(join(ROOT, '.dependency-cruiser.cjs'))) as { readonly forbidden: readonly Rule[] };
  rules = config.forbidden;
});

const LIMITS: Readonly<Record<string, RegExp>> = {
  'Lines of a file': /'max-lines': \['error', \{ max: (\d+), \.\.\.counted \}\],\n\s+'max-lines-per-function'/,
  'Lines of a test file': /rules: \{ 'max-lines': \['error', \{ max: (\d+)/,
  'Lines of a function, outside of tests': /'max-lines-per-function': \['error', \{ max: (\d+)/,
  Parameters: /'max-params': \['error', (\d+)\]/,
  'Levels of nesting': /'max-depth': \['error', (\d+)\]/,
  'Complexity of a function': /complexity: \['error', (\d+)\]/,
  'Modules that a file imports': /'import-x\/max-dependencies': \['error', \{ max: (\d+)/,
};

describe('CONTRIBUTING.md', () => {
  it('gives the limits that lint enforces', () => {
    const config = readDocument('eslint.config.mjs');
    const enforced = Object.entries(LIMITS).map(([What, pattern]) => ({ What, Limit: pattern.exec(config)?.[1] }));
    expect(tableIn(sectionOf(document, '## Limits'))).toEqual(enforced);
  });

  it('says who may import whom as the architecture check does', () => {
    for (const row of tableIn(sectionOf(document, '## Who may import whom'))) {
      const lib = onlyCode(row.Lib) ?? '';
      expect([lib, codeIn(row.Libs ?? '')]).toEqual([lib, libsOf(lib)]);
      expect([lib, row.Packages]).toEqual([lib, packagesOf(lib)]);
    }
  });

  it('leaves out no lib that has rules', () => {
    const listed = tableIn(sectionOf(document, '## Who may import whom')).map((row) => onlyCode(row.Lib));
    const ruled = rules.flatMap(({ name }) => /^(.*)-imports-inward$/.exec(name)?.[1] ?? []);
    expect(listed).toEqual(['domain', ...ruled]);
  });
});

const ruleOf = (name: string): Rule | undefined => rules.find((rule) => rule.name === name);

/** Tests may use `testing` besides. */
function libsOf(lib: string): string[] {
  const [, names = ''] = /\((.*)\)/.exec(String(ruleOf(`${lib}-imports-inward`)?.to.pathNot ?? '')) ?? [];
  return names.split('|').filter((name) => name !== '' && name !== lib && name !== 'testing');
}

function packagesOf(lib: string): string {
  if (lib === 'domain') return 'none';
  const rule = ruleOf(`${lib}-packages`);
  if (!rule) return 'any';
  const names = [rule.to.pathNot ?? []].flat().map((pattern) => `\`${pattern.replace('(^|node_modules/)', '')}\``);
  return names.join(', ') || 'none';
}
