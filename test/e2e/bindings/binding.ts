import type { Wire } from '../client';

/** The operations of A2A 1.0 (section 5.3). */
export type Operation =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

export type Request = { readonly operation: Operation; readonly params: Wire; readonly token?: string };

/** How a binding said no: its own status, the reason that all have in common, and all that it said. */
export type Refusal = { readonly status: number; readonly reason: string | undefined; readonly said: unknown };

/** What came back as 1.0 JSON; of a stream the first frame, after which the client leaves. */
export type Outcome = { readonly answer: Wire } | { readonly refusal: Refusal };

/** One way to speak to the default agent of a gateway. */
export interface Binding {
  readonly name: string;
  /** The status that says that nobody knows who calls. */
  readonly unauthenticated: number;
  call(request: Request): Promise<Outcome>;
  close(): void;
}

export const headersOf = ({ token }: Request): Record<string, string> => ({
  'a2a-version': '1.0',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

/** What the first event of a stream holds. */
export async function firstData({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const data = /^data: (.*)\n/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data) as unknown;
  }
  throw new Error(`a stream without an event: ${text}`);
}

export const isStream = (reply: Response): boolean =>
  reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
