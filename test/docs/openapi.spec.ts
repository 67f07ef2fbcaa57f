import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openApi } from '../../apps/gateway/src/openapi/openapi';
import { placeAt, ROUTES } from '../../apps/gateway/src/rest/routes';
import { readDocument, ROOT } from './markdown';

const FILE = 'docs/reference/openapi.json';

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

const document = JSON.parse(readDocument(FILE)) as Document;

/** The linter is an ES module, so it runs beside the tests. */
const LINT = `
  import { createConfig, lint } from '@redocly/openapi-core';
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lint({ ref: process.argv[1], config });
  console.log(JSON.stringify(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])));
`;

const lint = (file: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', LINT, join(ROOT, file)], { cwd: ROOT }).toString(),
  );

describe('docs/reference/openapi.json', () => {
  it('is what `npm run docs:openapi` makes of the routes and the schemas', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApi('http://127.0.0.1:8080'))));
  });

  it('keeps the recommended rules', () => expect(lint(FILE)).toEqual([]));

  it('has every route, and each where the gateway has it', () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => name !== 'parameters')
        .map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(ROUTES.map(({ verb, path }) => `${verb} /${path}`).sort());
    for (const path of Object.keys(document.paths)) {
      expect(placeAt(path.replace(/\{\w+\}/g, 'x'))?.routes[0]?.path).toBe(path.slice(1));
    }
  });
});
