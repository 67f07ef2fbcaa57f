import { METHODS } from '@tidemark/protocol';
import { placeAt, ROUTES } from './routes';

const CONFIGS = 'tasks/t1/pushNotificationConfigs';

const methodsAt = (url: string) => placeAt(url)?.routes.map(({ method }) => method);

describe('the routes', () => {
  it('have every operation', () => {
    expect([...new Set(ROUTES.map(({ method }) => method))].sort()).toEqual([...METHODS].sort());
  });

  it.each([
    ['message:send', ['SendMessage'], {}],
    ['message%3Asend', ['SendMessage'], {}],
    ['message:stream', ['SendStreamingMessage'], {}],
    ['tasks', ['ListTasks'], {}],
    ['tasks/', ['ListTasks'], {}],
    ['tasks?pageSize=5', ['ListTasks'], {}],
    ['tasks/t1', ['GetTask'], { id: 't1' }],
    ['tasks/t%2F1', ['GetTask'], { id: 't/1' }],
    ['tasks/t%253A1', ['GetTask'], { id: 't%3A1' }],
    ['tasks/t1:cancel', ['CancelTask'], { id: 't1' }],
    ['tasks/t1%3Acancel', ['CancelTask'], { id: 't1' }],
    ['tasks/t1%3acancel', ['CancelTask'], { id: 't1' }],
    ['tasks/t1:subscribe', ['SubscribeToTask', 'SubscribeToTask'], { id: 't1' }],
    [CONFIGS, ['CreateTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'], { taskId: 't1' }],
    [
      `${CONFIGS}/c1`,
      ['GetTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig'],
      { taskId: 't1', id: 'c1' },
    ],
    ['extendedAgentCard', ['GetExtendedAgentCard'], {}],
    ['contexts/urn:c%2F1/graph', ['GetContextGraph'], { contextId: 'urn:c/1' }],
  ])('find %s, at the root, below an agent, and after a tenant', (path, methods, params) => {
    const found = (url: string) => {
      const { routes = [], ...place } = placeAt(url) ?? {};
      return { methods: routes.map(({ method }) => method), ...place };
    };
    expect(found(`/${path}`)).toEqual({ methods, params });
    expect(found(`/agents/echo/${path}`)).toEqual({ methods, params, agent: 'echo' });
    expect(found(`/acme/${path}`)).toEqual({ methods, params, tenant: 'acme' });
    expect(found(`/agents/echo/ac%2Fme/${path}`)).toEqual({ methods, params, agent: 'echo', tenant: 'ac/me' });
  });

  it.each([
    ...['/', '/agents', '/agents/echo', '/agents/tasks', '/v1/tasks', '/v1/message:send', '/.well-known/tasks'],
    ...['/healthz/tasks', '/message:send/tasks', '/extendedAgentCard/tasks', '/contexts/tasks', '/contexts/graph'],
    ...['//tasks/t1', '/tasks//pushNotificationConfigs', '/acme/corp/tasks', '/message', '/tasks/%E0%A4%A', '/Tasks'],
  ])('have nothing at %s', (url) => expect(methodsAt(url)).toBeUndefined());

  it('take `tasks` for no tenant, and a task may be called so', () => {
    expect(placeAt('/tasks/tasks')).toMatchObject({ params: { id: 'tasks' } });
    expect(placeAt('/acme/tasks/tasks')).toMatchObject({ params: { id: 'tasks' }, tenant: 'acme' });
  });
});
