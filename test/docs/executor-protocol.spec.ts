import { asyncApi } from '../../libs/executor-protocol/src/asyncapi';
import { generatedDocuments, RULES } from '@tidemark/executor-protocol';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { headingsIn, jsonIn, readDocument, ROOT, sectionOf, tableIn } from './markdown';

const DIRECTORY = 'docs/reference/executor-protocol';
const SPECIFICATION = '@asyncapi/specs/schemas/3.0.0-without-$id.json';

type Fields = Readonly<Record<string, unknown>>;
type Example = { readonly payload: unknown };
type Described = { readonly payload: Fields; readonly examples: readonly Example[] };

const read = (path: string): Fields => {
  const text = readDocument(`${DIRECTORY}/${path}`);
  return (path.endsWith('.yaml') ? parse(text) : JSON.parse(text)) as Fields;
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the generated documents', () => {
  const documents = generatedDocuments();

  it.each(documents.map(({ path, content }) => [path, content] as const))(
    '%s is what `npm run docs:protocol` makes of the schemas',
    (path, content) => expect(read(path)).toEqual(plain(content)),
  );

  it('are all that is there', () => {
    const files = readdirSync(join(ROOT, DIRECTORY), { recursive: true, withFileTypes: true });
    const found = files.filter((file) => file.isFile()).map((file) => file.name);
    expect(found.sort()).toEqual(documents.map(({ path }) => path.split('/').at(-1)).sort());
  });
});

describe('the AsyncAPI document', () => {
  const document = read('asyncapi.yaml');
  const { messages } = asyncApi()['components'] as { messages: Readonly<Record<string, Described>> };

  it('is valid AsyncAPI 3.0', async () => {
    const specification = (await import(SPECIFICATION)) as { default?: Fields } & Fields;
    const validate = withFormats(new Ajv({ strict: false })).compile(specification.default ?? specification);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  it('refers only to what is there', () => {
    const schemas = generatedDocuments().map(({ path }) => `./${path}`);
    for (const target of targetsIn(document)) {
      const isThere = target.startsWith('#') ? lookUp(document, target) !== undefined : schemas.includes(target);
      expect([target, isThere]).toEqual([target, true]);
    }
  });

  it.each(Object.keys(messages))('shows examples of %s that are valid', (name) => {
    const { payload, examples } = messages[name]!;
    const validate = validatorOf(payload);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect([validate(example.payload), validate.errors]).toEqual([true, null]);
  });

  it('has a schema that refuses what is no event', () => {
    const validate = validatorOf({ $ref: './schemas/working.json' });
    expect(validate({ v: 1, type: 'working' })).toBe(false);
  });
});

describe('docs/reference/subjects.md', () => {
  const page = readDocument('docs/reference/subjects.md');

  it.each(headingsIn(sectionOf(page, '## Event types'), 3))('shows %s as its schema wants it', (type) => {
    const validate = validatorOf({ $ref: `./schemas/${type}.json` });
    const shown = jsonIn(sectionOf(page, `### ${type}`));
    expect(shown.length).toBeGreaterThan(0);
    for (const example of shown) expect([validate(example), validate.errors]).toEqual([true, null]);
  });
});

describe('docs/reference/executor-protocol.md', () => {
  const page = readDocument('docs/reference/executor-protocol.md');

  it('explains each rule that the conformance suite judges, in its order', () => {
    const rules = headingsIn(page, 3).filter((heading) => /^R\d/.test(heading));
    expect(rules).toEqual(RULES.map(({ id, level, says }) => `${id} (${level}): ${says}`));
  });

  it('links to every schema', () => {
    const names = generatedDocuments().map(({ path }) => `executor-protocol/${path}`);
    expect(names.filter((name) => !page.includes(`](${name})`))).toEqual([]);
  });

  it('lists the behaviours of the agent under test', () => {
    const behaviours = tableIn(sectionOf(page, '## The agent under test')).map(
      (row) => row['Text']?.match(/[a-z]+/)?.[0],
    );
    const source = readDocument('deploy/examples/agents/conformance.ts');
    const known = [...source.matchAll(/^ {2}(?:async )?\*?(\w+)\(/gm)].map(([, name]) => name);
    expect(behaviours.sort()).toEqual(known.filter((name) => name !== 'run').sort());
  });
});

function withFormats(ajv: Ajv): Ajv {
  addFormats(ajv);
  return ajv.addFormat('base64', true);
}

function validatorOf(payload: Fields): ValidateFunction {
  const { $ref } = payload;
  const schema = typeof $ref === 'string' ? read($ref.replace('./', '')) : payload;
  return withFormats(new Ajv2020({ strict: false, allErrors: true })).compile(schema);
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function targetsIn(value: unknown): string[] {
  if (!isFields(value)) return [];
  const own = typeof value['$ref'] === 'string' ? [value['$ref']] : [];
  return [...own, ...Object.values(value).flatMap(targetsIn)];
}

const lookUp = (document: Fields, target: string): unknown =>
  target
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), document);
