import type { ListTasksResponse, RestFailure, StreamResponse, WireTask } from '@tidemark/protocol';
import { framesOf, type Wire } from './client';

type Headers = Readonly<Record<string, string>>;

export type Asked = { readonly body?: unknown; readonly headers?: Headers; readonly verb?: string };

export type RestEvent = { readonly id?: string; readonly event?: string; readonly data: StreamResponse };

/** A client of HTTP+JSON that shows everything on the wire, and never helps itself. */
export class RestClient {
  constructor(private readonly root: string) {}

  /** POST where there is a body, GET where there is none, unless it is said. A body that is text is sent as it is. */
  fetch(path: string, { body, headers = {}, verb = body === undefined ? 'GET' : 'POST' }: Asked = {}) {
    const type: Headers = body === undefined || body === '' ? {} : { 'content-type': 'application/a2a+json' };
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return fetch(`${this.root}/${path}`, { method: verb, headers: { ...type, ...headers }, body: text });
  }

  async ask<T>(path: string, asked?: Asked): Promise<T> {
    const reply = await this.fetch(path, asked);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async refused(path: string, asked?: Asked): Promise<RestFailure['error']> {
    const reply = await this.fetch(path, asked);
    const { error } = (await reply.json()) as Partial<RestFailure>;
    if (error?.code !== reply.status) throw new Error(`${path}: status ${reply.status}, ${JSON.stringify(error)}`);
    return error;
  }

  async send(message: Wire, over: Wire = {}): Promise<WireTask> {
    return (await this.ask<{ task: WireTask }>('message:send', { body: { message, ...over } })).task;
  }

  list(query = ''): Promise<ListTasksResponse> {
    return this.ask(`tasks${query}`);
  }

  async *events(path: string, asked?: Asked): AsyncGenerator<RestEvent> {
    const reply = await this.fetch(path, asked);
    if (!reply.headers.get('content-type')?.includes('event-stream')) throw new Error(await reply.text());
    for await (const frame of framesOf(reply)) if (frame.includes('data: ')) yield toEvent(frame);
  }
}

function toEvent(frame: string): RestEvent {
  const fields = new Map(frame.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const data = JSON.parse(fields.get('data') ?? '{}') as StreamResponse;
  return { id: fields.get('id'), event: fields.get('event'), data };
}

export async function all(events: AsyncIterable<RestEvent>): Promise<RestEvent[]> {
  const seen: RestEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

export const versionsOf = (events: readonly { readonly id?: string }[]): number[] =>
  events.map(({ id }) => Number(id?.split('-')[0]));
