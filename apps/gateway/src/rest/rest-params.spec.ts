import {
  InvalidParamsError,
  parseCancelTask,
  parseGetTask,
  parseListTasks,
  ProtocolError,
  type ProtocolError as Refusal,
} from '@tidemark/protocol';
import { openApi } from '../openapi/openapi';
import { type Params, paramsOf, paramsOfBody, paramsOfQuery, type Said } from './rest-params';
import type { Place } from './routes';

type Item = { readonly get?: { readonly parameters: readonly { readonly in?: string; readonly name?: string }[] } };

const JSON_BODY = 'application/json';
const place = (params: Place['params'], tenant?: string): Place => ({ routes: [], params, ...(tenant && { tenant }) });
const saidIn = (query: unknown, body = '', contentType: string | undefined = JSON_BODY): Said => ({
  query,
  body: Buffer.from(body),
  headers: { 'content-type': contentType },
});

function refusalOf(doing: () => unknown): Refusal {
  try {
    doing();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
  }
  throw new Error('it was not refused');
}

describe('a query', () => {
  it.each<[string, Params, unknown]>([
    ['nothing', {}, { pageSize: 50, includeArtifacts: false }],
    ['camelCase', { pageSize: '5', contextId: 'c' }, { pageSize: 5, contextId: 'c', includeArtifacts: false }],
    ['snake_case', { page_size: '5', include_artifacts: 'true' }, { pageSize: 5, includeArtifacts: true }],
    ['booleans', { includeArtifacts: 'false' }, { pageSize: 50, includeArtifacts: false }],
    ['an enum', { status: 'TASK_STATE_WORKING' }, { pageSize: 50, includeArtifacts: false, status: 'working' }],
    [
      'a time',
      { statusTimestampAfter: '2026-01-31T13:00:00+01:00' },
      { pageSize: 50, includeArtifacts: false, statusTimestampAfter: '2026-01-31T12:00:00.000Z' },
    ],
    ['empty values', { pageSize: '', status: '', pageToken: '' }, { pageSize: 50, includeArtifacts: false }],
    [
      'what is unknown',
      { colour: 'red', 'size[]': 'xl', shape: ['a', 'b'], 'A2A-Version': '1.0' },
      { pageSize: 50, includeArtifacts: false },
    ],
  ])('may have %s', (_, query, request) => expect(parseListTasks(paramsOfQuery(query))).toEqual(request));

  it.each<[string, Params]>([
    ['pageSize', { pageSize: 'many' }],
    ['pageSize', { pageSize: '101' }],
    ['pageSize', { pageSize: ['1', '2'] }],
    ['includeArtifacts', { includeArtifacts: 'yes' }],
    ['status', { status: 'WORKING' }],
    ['statusTimestampAfter', { statusTimestampAfter: 'yesterday' }],
    ['historyLength', { historyLength: '-1' }],
    ['contextId', { contextId: ['a', 'b'] }],
    ['contextId', { 'contextId[]': 'a' }],
    ['page_size', { 'page_size[0]': '1' }],
    ['includeArtifacts', { includeArtifacts: 'true', 'includeArtifacts[]': 'false' }],
  ])('names %s where that is wrong', (field, query) => {
    expect(refusalOf(() => parseListTasks(paramsOfQuery(query))).violations).toEqual([
      { field, description: expect.stringMatching(/^must be /) as string },
    ]);
  });

  it('is described with the names that may be given once', () => {
    const names = Object.values(openApi('http://a.test').paths as Readonly<Record<string, Item>>).flatMap(({ get }) =>
      (get?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name = '' }) => name),
    );
    expect(names).toContain('pageSize');
    for (const name of names) {
      expect(refusalOf(() => paramsOfQuery({ [`${name}[]`]: '1' })).violations).toMatchObject([{ field: name }]);
      expect(refusalOf(() => paramsOfQuery({ [name]: ['1', '1'] })).violations).toMatchObject([{ field: name }]);
    }
  });

  it('is read for GET and DELETE, and with the path', () => {
    const params = paramsOf('GET', saidIn({ historyLength: '2' }), place({ id: 't' }));
    expect(parseGetTask(params)).toEqual({ id: 't', historyLength: 2 });
  });

  it('is not read for POST', () => {
    expect(paramsOf('POST', saidIn({ metadata: 'x' }), place({ id: 't' }))).toEqual({ id: 't' });
  });
});

describe('a body', () => {
  it.each([undefined, '', 'text/plain'])('may be empty, with the content type %p', (contentType) => {
    expect(paramsOfBody({ body: Buffer.alloc(0), headers: { 'content-type': contentType } })).toEqual({});
    expect(paramsOfBody({ body: undefined, headers: { 'content-type': contentType } })).toEqual({});
  });

  it('may be null, which says nothing', () => {
    expect(paramsOfBody({ body: Buffer.from('null'), headers: { 'content-type': JSON_BODY } })).toEqual({});
  });

  it.each([JSON_BODY, 'application/a2a+json', 'Application/JSON; charset=utf-8'])('may be %s', (contentType) => {
    expect(paramsOfBody({ body: Buffer.from('{"a":1}'), headers: { 'content-type': contentType } })).toEqual({ a: 1 });
  });

  it.each([undefined, '', 'text/plain', 'application/x-www-form-urlencoded'])('may not be %p', (contentType) => {
    expect(
      refusalOf(() => paramsOfBody({ body: Buffer.from('{}'), headers: { 'content-type': contentType } })).code,
    ).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });

  it.each(['{', 'nul', '{"a":}', '\u0000'])('that is %j is no JSON', (text) => {
    expect(
      refusalOf(() => paramsOfBody({ body: Buffer.from(text), headers: { 'content-type': JSON_BODY } })).code,
    ).toBe('PARSE_ERROR');
  });

  it.each(['[]', '"text"', '7', 'true'])('that is %s is no object', (text) => {
    expect(
      refusalOf(() => paramsOfBody({ body: Buffer.from(text), headers: { 'content-type': JSON_BODY } })),
    ).toMatchObject({
      code: 'INVALID_PARAMS',
      violations: [{ field: 'body' }],
    });
  });
});

describe('what the path says', () => {
  it.each<Params>([{}, { id: 't' }, { id: '' }, { id: null }, { tenant: 'acme' }])('may be said again: %j', (body) => {
    const params = paramsOf('POST', saidIn({}, JSON.stringify({ ...body, metadata: {} })), place({ id: 't' }, 'acme'));
    expect(parseCancelTask(params)).toEqual({ id: 't', tenant: 'acme', metadata: {} });
  });

  it.each<[string, Params]>([
    ['id', { id: 'other' }],
    ['id', { id: 7 }],
    ['tenant', { tenant: 'other' }],
  ])('may not be contradicted in %s: %j', (field, body) => {
    const refusal = refusalOf(() => paramsOf('POST', saidIn({}, JSON.stringify(body)), place({ id: 't' }, 'acme')));
    expect(refusal).toBeInstanceOf(InvalidParamsError);
    expect(refusal.violations).toMatchObject([{ field }]);
    expect(refusalOf(() => paramsOf('GET', saidIn(body), place({ id: 't' }, 'acme'))).violations).toMatchObject([
      { field },
    ]);
  });

  it('may be said in snake_case', () => {
    const said = saidIn({}, JSON.stringify({ task_id: 't', url: 'https://a.test' }));
    expect(paramsOf('POST', said, place({ taskId: 't' }))).toEqual({ taskId: 't', url: 'https://a.test' });
    expect(refusalOf(() => paramsOf('POST', said, place({ taskId: 'u' }))).violations).toMatchObject([
      { field: 'task_id' },
    ]);
  });
});
