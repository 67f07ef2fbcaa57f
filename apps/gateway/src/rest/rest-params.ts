import { type FieldViolation, InvalidParamsError, parseJson } from '@tidemark/protocol';
import { assertJson, type BodyHeaders } from '../http/media-types';
import { oneValue } from '../http/one-value';
import type { Place } from './routes';

/** Parameters as JSON, under the names that the client gave them: the schema of the operation reads them. */
export type Params = Readonly<Record<string, unknown>>;

/** What a request says besides its path. */
export type Said = {
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: BodyHeaders;
};

/**
 * The parameters of a request: of the body or, where the verb has none, of the query (A2A 1.0.1, section 11.5); and
 * those of the path. @throws CONTENT_TYPE_NOT_SUPPORTED, PARSE_ERROR, InvalidParamsError
 */
export function paramsOf(verb: string, said: Said, { params, tenant }: Place): Params {
  const given = verb === 'POST' ? paramsOfBody(said) : paramsOfQuery(said.query);
  return withPath(given, { ...params, ...(tenant !== undefined && { tenant }) });
}

/** An empty body, and `null`, say nothing; what is needed may all be in the path. */
export function paramsOfBody({ body, headers }: Omit<Said, 'query'>): Params {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  assertJson(headers);
  const value = parseJson(body) ?? {};
  if (isParams(value)) return value;
  throw new InvalidParamsError([{ field: 'body', description: 'must be one JSON object' }]);
}

/**
 * ProtoJSON writes all but true and false as strings, too, so only these are converted. An empty value is one that is
 * not set, and a name that means nothing is ignored. @throws InvalidParamsError for a list: no operation has one there
 */
export function paramsOfQuery(query: unknown): Params {
  if (!isParams(query)) return {};
  for (const name of IN_QUERY) oneValue(query, name);
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, BOOLEANS.has(name) ? toBoolean(value) : value]));
}

/** What operations read in a query, besides what is in their paths. */
const NAMES = [
  ...['contextId', 'status', 'statusTimestampAfter', 'pageSize', 'pageToken', 'historyLength', 'includeArtifacts'],
  'tenant',
];

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const IN_QUERY: ReadonlySet<string> = new Set(NAMES.flatMap((name) => [name, inSnakeCase(name)]));

const BOOLEANS: ReadonlySet<string> = new Set(['includeArtifacts', 'include_artifacts']);

const toBoolean = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value);

const isParams = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the path says may be said again, by whatever name, and not otherwise. */
function withPath(given: Params, path: Readonly<Record<string, string>>): Params {
  const fields = new Map(
    Object.entries(path).flatMap(([name, value]) => [name, inSnakeCase(name)].map((field) => [field, value] as const)),
  );
  const others = [...fields].filter(([field, value]) => isOther(given[field], value));
  if (others.length > 0) throw new InvalidParamsError(others.map(toViolation));
  return { ...Object.fromEntries(Object.entries(given).filter(([name]) => !fields.has(name))), ...path };
}

const isOther = (value: unknown, inPath: string): boolean =>
  value !== undefined && value !== null && value !== '' && value !== inPath;

const toViolation = ([field]: readonly [string, string]): FieldViolation => ({
  field,
  description: 'must be left out, or be as in the path',
});
