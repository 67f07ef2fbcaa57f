import { type Wire, ticks } from './client';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Asked, all, RestClient } from './rest-client';
import { System } from './system';

type Document = {
  readonly servers: readonly { readonly url: string }[];
  readonly components: { readonly schemas: object };
};

let system: System;
let ticker: RestClient;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  const { url } = system.app('gateway');
  ticker = new RestClient(`${url}/agents/ticker`);
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
});

afterAll(() => system.stop());

function expectValid(schema: string, value: unknown): void {
  const validate = ajv.getSchema(`openapi#/components/schemas/${schema}`) as ValidateFunction;
  expect([schema, validate(value), validate.errors]).toEqual([schema, true, null]);
}

describe('the OpenAPI document that the gateway serves', () => {
  it('names the gateway as clients reach it', () => {
    const { url } = system.app('gateway');
    expect(document.servers.map((server) => server.url)).toEqual([url, `${url}/agents/{agent}`, `${url}/{tenant}`]);
  });

  it('describes the requests that are taken, and the replies to them', async () => {
    const body = { message: ticks(2, 0), configuration: { historyLength: 5 } };
    expectValid('SendMessageRequest', body);
    const { task } = await ticker.ask<{ task: { id: string; contextId: string } }>('message:send', { body });
    expectValid('SendMessageResponse', { task });
    const replies: readonly [string, string][] = [
      ['Task', `tasks/${task.id}`],
      ['ListTasksResponse', 'tasks?includeArtifacts=true&historyLength=1'],
      ['ContextGraph', `contexts/${task.contextId}/graph`],
    ];
    for (const [schema, path] of replies) expectValid(schema, await ticker.ask(path));
    const events = await all(ticker.events('message:stream', { body: { message: ticks(1, 0) } }));
    expect(events).toHaveLength(4);
    for (const { data } of events) expectValid('StreamResponse', data);
  });

  it.each<[string, Asked]>([
    ['tasks/none', {}],
    ['tasks?pageSize=0', {}],
    ['message:send', { body: '{' }],
    ['message:send', {}],
    ['nothing', {}],
  ])('describes the error of %s', async (path, asked) => {
    expectValid('Error', await (await ticker.fetch(path, asked)).json());
  });

  it.each<[string, Wire]>([
    ['SendMessageRequest', { message: { role: 'ROLE_USER', parts: [{ text: 'x' }] } }],
    ['SendMessageRequest', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 7 }] } }],
    ['Task', { id: 't', contextId: 'c', status: { state: 'done', timestamp: '2026-01-31T12:00:00.000Z' } }],
    ['StreamResponse', { done: true }],
  ])('refuses what is no %s: %j', (schema, value) => {
    expect(ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, value)).toBe(false);
  });
});
