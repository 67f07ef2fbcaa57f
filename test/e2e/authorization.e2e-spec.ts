import { randomUUID } from 'node:crypto';
import type { Binding, Operation, Outcome } from './bindings/binding';
import { grpc } from './bindings/grpc';
import { jsonRpc } from './bindings/json-rpc';
import { rest } from './bindings/rest';
import { said, ticks, type Wire } from './client';
import { Identities } from './identities';
import { example, System } from './system';

/** What this test has to know of an agent card. */
type Card = {
  readonly capabilities: Readonly<Record<string, boolean | undefined>>;
  readonly supportedInterfaces: readonly { readonly protocolBinding: string; readonly url: string }[];
};

type Place = { readonly url: string; readonly card: Card };

const grpcAddressOn = ({ supportedInterfaces }: Card): string =>
  supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'GRPC')?.url ?? '';

const BINDINGS = {
  JSONRPC: ({ url }: Place) => jsonRpc(url),
  'HTTP+JSON': ({ url }: Place) => rest(url),
  GRPC: ({ card }: Place) => grpc(grpcAddressOn(card)),
} as const;

/** Those that the gateway serves. */
const SERVED: readonly (keyof typeof BINDINGS)[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

type Target = { readonly taskId: string; readonly contextId: string };

type Row = {
  readonly operation: Operation;
  readonly params: (target: Target) => Wire;
  /** What the answer to whoever may have it looks like. */
  readonly fine: (target: Target) => object;
  /** What others get: a refusal by its reason, or an answer that tells them nothing. */
  readonly others: string | object;
};

const HOOK = { id: 'hook', url: 'http://127.0.0.1:9/hook' };
/** For whoever is known. */
const EXTENDED = { name: 'Translator', skills: [{ id: 'translate' }, { id: 'list' }] };
const notFound = { others: 'TASK_NOT_FOUND' } as const;
const ofTask = ({ taskId }: Target): Wire => ({ id: taskId });
const ofHook = ({ taskId }: Target): Wire => ({ taskId, id: HOOK.id });
const asTask = ({ taskId }: Target) => ({ id: taskId });
const further = ({ taskId }: Target): Wire => ({
  message: said('more', { taskId }),
  configuration: { returnImmediately: true },
});

/** In this order: the hook is there before it is asked for, and the task runs until it is canceled. */
const MATRIX: readonly Row[] = [
  { operation: 'SendMessage', params: further, fine: (of) => ({ task: asTask(of) }), ...notFound },
  { operation: 'SendStreamingMessage', params: further, fine: (of) => ({ task: asTask(of) }), ...notFound },
  { operation: 'GetTask', params: ofTask, fine: asTask, ...notFound },
  {
    operation: 'ListTasks',
    params: ({ contextId }) => ({ contextId }),
    fine: (of) => ({ tasks: [asTask(of)], totalSize: 1 }),
    others: {},
  },
  { operation: 'SubscribeToTask', params: ofTask, fine: (of) => ({ task: asTask(of) }), ...notFound },
  {
    operation: 'CreateTaskPushNotificationConfig',
    params: ({ taskId }) => ({ ...HOOK, taskId }),
    fine: ({ taskId }) => ({ ...HOOK, taskId }),
    ...notFound,
  },
  {
    operation: 'GetTaskPushNotificationConfig',
    params: ofHook,
    fine: ({ taskId }) => ({ ...HOOK, taskId }),
    ...notFound,
  },
  {
    operation: 'ListTaskPushNotificationConfigs',
    params: ({ taskId }) => ({ taskId }),
    fine: () => ({ configs: [HOOK] }),
    ...notFound,
  },
  { operation: 'DeleteTaskPushNotificationConfig', params: ofHook, fine: () => ({}), ...notFound },
  {
    operation: 'GetExtendedAgentCard',
    params: () => ({ tenant: 'translator' }),
    fine: () => EXTENDED,
    others: EXTENDED,
  },
  {
    operation: 'CancelTask',
    params: ofTask,
    fine: (of) => ({ ...asTask(of), status: { state: 'TASK_STATE_CANCELED' } }),
    ...notFound,
  },
];

const OWNER = { tenant: 'acme', principal: 'alice' };
const OTHERS = {
  'another user of the same tenant': { tenant: 'acme', principal: 'bob' },
  'a user of another tenant with the same name': { tenant: 'other', principal: 'alice' },
};

let system: System;
let identities: Identities;
let place: Place;

beforeAll(async () => {
  identities = await Identities.create();
  system = await System.start('projector');
  await system.add('executor', { AGENT_MODULES: example('translator') });
  const limits = { AUTH_FAILURES_PER_MINUTE: '0' }; // more are refused here than one address may send
  const env = { ...identities.env, ...limits, DEFAULT_AGENT: 'ticker', ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const { url } = await system.add('gateway', env);
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Card;
  place = { url, card };
});

afterAll(async () => {
  await system.stop();
  identities.forget();
});

const nowhere = (): Target => ({ taskId: randomUUID(), contextId: randomUUID() });

/** What was said, without the ids that were asked for. */
const masked = (outcome: Outcome, { taskId, contextId }: Target): unknown =>
  JSON.parse(JSON.stringify(outcome).replaceAll(taskId, '<task>').replaceAll(contextId, '<context>'));

const reasonOf = (outcome: Outcome) => ('refusal' in outcome ? outcome.refusal.reason : outcome.answer);

describe.each(SERVED)('over %s', (name) => {
  let binding: Binding;
  let mine: Target;

  beforeAll(async () => {
    binding = BINDINGS[name](place);
    const contextId = randomUUID();
    const outcome = await binding.call({
      operation: 'SendMessage',
      params: { message: { ...ticks(1, 3_600_000), contextId }, configuration: { returnImmediately: true } },
      token: await identities.token(OWNER),
    });
    if ('refusal' in outcome) throw new Error(JSON.stringify(outcome.refusal));
    mine = { taskId: (outcome.answer as { task: { id: string } }).task.id, contextId };
  });

  afterAll(() => binding.close());

  describe.each(MATRIX.map((row) => [row.operation, row] as const))('%s', (operation, row) => {
    const call = (target: Target, token?: string) =>
      binding.call({ operation, params: row.params(target), ...(token !== undefined && { token }) });

    it.each(Object.entries(OTHERS))('tells %s nothing, not even that it is there', async (_, person) => {
      const token = await identities.token(person);
      const outcome = await call(mine, token);
      if (typeof row.others === 'string') expect(reasonOf(outcome)).toBe(row.others);
      else expect(outcome).toMatchObject({ answer: row.others });
      const none = nowhere();
      expect(masked(outcome, mine)).toEqual(masked(await call(none, token), none));
    });

    it.each([
      ['nobody', undefined],
      ['whoever has no good token', 'abc'],
    ])('asks %s for a credential', async (_, token) => {
      const outcome = await call(mine, token);
      expect(outcome).toMatchObject({ refusal: { status: binding.unauthenticated, reason: 'UNAUTHENTICATED' } });
    });

    it('answers the owner', async () => {
      const outcome = await call(mine, await identities.token(OWNER));
      expect(outcome).toMatchObject({ answer: row.fine(mine) });
    });
  });
});

it('the matrix has every operation, and every binding that the card names', () => {
  expect(new Set(MATRIX.map(({ operation }) => operation)).size).toBe(11);
  const named = place.card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding);
  expect([...new Set(named)].sort()).toEqual([...SERVED].sort());
});
