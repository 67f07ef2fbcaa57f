import type { Wire } from '../client';
import { type Binding, firstData, headersOf, isStream, type Operation, type Outcome } from './binding';

type Route = { readonly verb: 'GET' | 'POST' | 'DELETE'; readonly path: string };

/** Each has the parameters that its path does not name in the body, or in the query where there is none. */
const ROUTES: Readonly<Record<Operation, Route>> = {
  SendMessage: { verb: 'POST', path: 'message:send' },
  SendStreamingMessage: { verb: 'POST', path: 'message:stream' },
  GetTask: { verb: 'GET', path: 'tasks/{id}' },
  ListTasks: { verb: 'GET', path: 'tasks' },
  CancelTask: { verb: 'POST', path: 'tasks/{id}:cancel' },
  SubscribeToTask: { verb: 'POST', path: 'tasks/{id}:subscribe' },
  CreateTaskPushNotificationConfig: { verb: 'POST', path: 'tasks/{taskId}/pushNotificationConfigs' },
  GetTaskPushNotificationConfig: { verb: 'GET', path: 'tasks/{taskId}/pushNotificationConfigs/{id}' },
  ListTaskPushNotificationConfigs: { verb: 'GET', path: 'tasks/{taskId}/pushNotificationConfigs' },
  DeleteTaskPushNotificationConfig: { verb: 'DELETE', path: 'tasks/{taskId}/pushNotificationConfigs/{id}' },
  GetExtendedAgentCard: { verb: 'GET', path: 'extendedAgentCard' },
};

type Failure = { readonly error: { readonly details?: readonly { readonly reason?: string }[] } };

/** HTTP+JSON (A2A 1.0.1, section 11). */
export const rest = (url: string): Binding => ({
  name: 'HTTP+JSON',
  unauthenticated: 401,
  call: async (request): Promise<Outcome> => {
    const { verb, path } = ROUTES[request.operation];
    const left = { ...request.params } as Record<string, string>;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => taken(left, name));
    const query = verb === 'POST' ? '' : `?${new URLSearchParams(left).toString()}`;
    const reply = await fetch(`${url}/${filled}${query}`, {
      method: verb,
      headers: { ...headersOf(request), ...(verb === 'POST' && { 'content-type': 'application/a2a+json' }) },
      ...(verb === 'POST' && { body: JSON.stringify(left) }),
    });
    if (isStream(reply)) return { answer: (await firstData(reply)) as Wire };
    const text = await reply.text();
    if (reply.ok) return { answer: JSON.parse(text || '{}') as Wire };
    const { error } = JSON.parse(text) as Failure;
    return { refusal: { status: reply.status, reason: error.details?.[0]?.reason, said: error } };
  },
  close: () => undefined,
});

function taken(params: Record<string, string>, name: string): string {
  const value = params[name] ?? '';
  delete params[name];
  return encodeURIComponent(value);
}
