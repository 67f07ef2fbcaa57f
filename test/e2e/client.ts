import type { ListTasksResponse, RpcErrorObject, StreamResponse, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';

type Headers = Readonly<Record<string, string>>;
export type Event = {
  readonly id?: string;
  readonly event?: string;
  readonly result: StreamResponse;
  readonly error?: RpcErrorObject;
};
type Reply<T> = { readonly id: unknown; readonly result?: T; readonly error?: RpcErrorObject };
type Refusal = { readonly status: number; readonly headers: Response['headers']; readonly reason: unknown };
export type Wire = Readonly<Record<string, unknown>>;

/** A request of JSON-RPC, as it goes over the wire. */
export const rpc = (method: string, params: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const reasonOf = (error: RpcErrorObject | undefined): unknown => error?.data[0]?.['reason'];

/** A client that shows everything on the wire, ids included, and never helps itself. */
export class Client {
  constructor(
    private readonly endpoint: string,
    private readonly always: Headers = {},
  ) {}

  async raw(body: string, headers: Headers = {}): Promise<Response> {
    const type = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    return fetch(this.endpoint, { method: 'POST', headers: { ...type, ...this.always, ...headers }, body });
  }

  async call<T>(method: string, params: Wire, headers: Headers = {}): Promise<Reply<T>> {
    const reply = await this.raw(rpc(method, params), headers);
    return (await reply.json()) as Reply<T>;
  }

  /** How and why something is refused; the reason is undefined where it is not. */
  async refusal(method: string, params: Wire): Promise<Refusal> {
    const reply = await this.raw(rpc(method, params));
    const { error } = (await reply.json()) as Reply<unknown>;
    return { status: reply.status, headers: reply.headers, reason: reasonOf(error) };
  }

  async ask<T>(method: string, params: Wire, headers: Headers = {}): Promise<T> {
    const { result, error } = await this.call<T>(method, params, headers);
    if (error || result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async send(message: Wire, over: { configuration?: Wire; headers?: Headers } = {}): Promise<WireTask> {
    const params = { message, ...(over.configuration && { configuration: over.configuration }) };
    return (await this.ask<{ task: WireTask }>('SendMessage', params, over.headers)).task;
  }

  get(id: string): Promise<WireTask> {
    return this.ask('GetTask', { id });
  }

  list(params: Wire = {}): Promise<ListTasksResponse> {
    return this.ask('ListTasks', params);
  }

  stream(message: Wire, headers: Headers = {}): AsyncGenerator<Event> {
    return this.events('SendStreamingMessage', { message }, headers);
  }

  subscribe(id: string, lastEventId?: string): AsyncGenerator<Event> {
    return this.events('SubscribeToTask', { id }, lastEventId === undefined ? {} : { 'last-event-id': lastEventId });
  }

  /** Ends with the stream, and quietly where the connection breaks. */
  async *events(method: string, params: Wire, headers: Headers = {}): AsyncGenerator<Event> {
    const reply = await this.raw(rpc(method, params), headers);
    if (!reply.headers.get('content-type')?.includes('event-stream')) throw new Error(await reply.text());
    try {
      for await (const frame of framesOf(reply)) if (frame.includes('data: ')) yield toEvent(frame);
    } catch (error) {
      if ((error as Error).name !== 'TypeError') throw error;
    }
  }
}

export async function* framesOf({ body }: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    const frames = (text + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
    text = frames.pop() ?? '';
    yield* frames;
  }
}

function toEvent(frame: string): Event {
  const field = (name: string) =>
    frame
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const { result, error } = JSON.parse(field('data') ?? '{}') as { result: StreamResponse; error?: RpcErrorObject };
  return { id: field('id'), event: field('event'), result, error };
}

export const said = (text: string, over: Wire = {}): Wire => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text }],
  ...over,
});

export const ticks = (chunks: number, everyMs: number): Wire => said('', { parts: [{ data: { chunks, everyMs } }] });

export const versionOf = ({ id }: Event): number => Number(id?.split('-')[0]);
export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** All of a stream, or its first `count` events, after which the client leaves. */
export async function collect(events: AsyncGenerator<Event>, count = Infinity): Promise<Event[]> {
  const seen: Event[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length >= count) break;
  }
  return seen;
}

/** The task that a stream began with. */
export function taskOf(events: readonly Event[]): WireTask {
  const first = events[0]?.result;
  if (!first || !('task' in first)) throw new Error('the stream did not begin with a task');
  return first.task;
}

/** Texts of an artifact's parts. */
export const textsOf = (task: WireTask, name: string): unknown[] =>
  task.artifacts
    ?.find((artifact) => artifact.name === name)
    ?.parts.map((part) => ('text' in part ? part.text : part)) ?? [];
