import type { Method } from '@tidemark/protocol';

export type Verb = 'GET' | 'POST' | 'DELETE';

/** Where an operation is on HTTP+JSON. `path` is below the URL of an agent, with the names of its params in braces. */
export type Route = { readonly method: Method; readonly verb: Verb; readonly path: string };

const CONFIGS = 'tasks/{taskId}/pushNotificationConfigs';

/**
 * The operations of A2A 1.0.1 (section 5.3) and of our extensions. SubscribeToTask has two verbs, as the specification
 * says both. Where two paths fit, the first one is meant.
 */
export const ROUTES: readonly Route[] = [
  { method: 'SendMessage', verb: 'POST', path: 'message:send' },
  { method: 'SendStreamingMessage', verb: 'POST', path: 'message:stream' },
  { method: 'ListTasks', verb: 'GET', path: 'tasks' },
  { method: 'CancelTask', verb: 'POST', path: 'tasks/{id}:cancel' },
  { method: 'SubscribeToTask', verb: 'GET', path: 'tasks/{id}:subscribe' },
  { method: 'SubscribeToTask', verb: 'POST', path: 'tasks/{id}:subscribe' },
  { method: 'GetTask', verb: 'GET', path: 'tasks/{id}' },
  { method: 'CreateTaskPushNotificationConfig', verb: 'POST', path: CONFIGS },
  { method: 'ListTaskPushNotificationConfigs', verb: 'GET', path: CONFIGS },
  { method: 'GetTaskPushNotificationConfig', verb: 'GET', path: `${CONFIGS}/{id}` },
  { method: 'DeleteTaskPushNotificationConfig', verb: 'DELETE', path: `${CONFIGS}/{id}` },
  { method: 'GetExtendedAgentCard', verb: 'GET', path: 'extendedAgentCard' },
  { method: 'GetContextGraph', verb: 'GET', path: 'contexts/{contextId}/graph' },
];

/** First segments that are no tenant, since they begin paths of another meaning. */
const RESERVED: ReadonlySet<string> = new Set([
  ...ROUTES.map(({ path }) => path.replace(/\/.*/, '')),
  ...['', 'agents', 'v1', '.well-known', 'healthz', 'readyz', 'metrics', 'openapi.json'],
]);

/** What a path names: routes that differ in their verb only, and what stands in its segments. */
export type Place = {
  readonly routes: readonly Route[];
  readonly params: Readonly<Record<string, string>>;
  readonly agent?: string;
  readonly tenant?: string;
};

/**
 * The routes at a path, below the root or an agent, with a tenant before them or without. Its own matcher, since the
 * router takes a colon for a parameter and an encoded one for none. Undefined where there is nothing.
 */
export function placeAt(url: string): Place | undefined {
  for (const { rest, ...before } of readings(segmentsOf(url))) {
    for (const [path, { routes, pattern }] of PLACES) {
      const params = path.split('/').length === rest.length ? matched(pattern, rest) : undefined;
      if (params) return { routes, params, ...before };
    }
  }
  return undefined;
}

/** Segments are decoded one by one, after they were told apart: an encoded slash is part of an id. */
function segmentsOf(url: string): string[] {
  const [path = ''] = url.split('?');
  try {
    return path
      .replace(/^\/|\/$/g, '')
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return [];
  }
}

type Reading = Pick<Place, 'agent' | 'tenant'> & { readonly rest: readonly string[] };

function readings(segments: readonly string[]): Reading[] {
  const [first, agent = '', ...below] = segments;
  if (first !== 'agents') return withTenants(segments);
  return withTenants(below).map((reading) => ({ ...reading, agent }));
}

function withTenants(segments: readonly string[]): Reading[] {
  const [tenant = '', ...rest] = segments;
  return RESERVED.has(tenant) ? [{ rest: segments }] : [{ rest: segments }, { rest, tenant }];
}

type Pattern = readonly RegExp[];

const PLACES: ReadonlyMap<string, { readonly routes: readonly Route[]; readonly pattern: Pattern }> = new Map(
  ROUTES.map(({ path }) => [path, { routes: ROUTES.filter((route) => route.path === path), pattern: patternOf(path) }]),
);

function patternOf(path: string): Pattern {
  return path.split('/').map((segment) => new RegExp(`^${segment.replace(/\{(\w+)\}/, '(?<$1>.+)')}$`, 's'));
}

function matched(pattern: Pattern, segments: readonly string[]): Place['params'] | undefined {
  const matches = pattern.map((segment, index) => segment.exec(segments[index] ?? ''));
  if (matches.some((match) => match === null)) return undefined;
  return Object.assign({}, ...matches.map((match) => match?.groups)) as Place['params'];
}
