import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { freePort } from './free-port';

/** A request as it came. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

/** What a receiver answers to its `nth` request; `hang` leaves the caller waiting. */
export type Answering = (request: Received, nth: number) => Answer | Promise<Answer>;

type Answer = number | 'hang' | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const TAKES_ALL: Answering = () => 204;

/** A webhook receiver that shows all that it gets. It can be down, and come up again on its port. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Most requests that were open at one time. */
  mostAtOnce = 0;
  #server?: Server;
  #open = 0;
  readonly #arrivals = new EventEmitter().setMaxListeners(0);

  private constructor(
    readonly port: number,
    private answering: Answering,
  ) {}

  static async start(answering: Answering = TAKES_ALL): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.down(answering);
    await receiver.up();
    return receiver;
  }

  /** One that nobody can connect to until it is `up`. */
  static async down(answering: Answering = TAKES_ALL): Promise<WebhookReceiver> {
    return new WebhookReceiver(await freePort(), answering);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  answer(answering: Answering): void {
    this.answering = answering;
  }

  async up(): Promise<void> {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }

  /** All requests so far, once there are as many. */
  async arrived(count: number): Promise<readonly Received[]> {
    return this.until((received) => received.length >= count);
  }

  async until(isEnough: (received: readonly Received[]) => boolean): Promise<readonly Received[]> {
    while (!isEnough(this.received)) await once(this.#arrivals, 'arrival');
    return this.received;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open);
    response.once('close', () => this.#open--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
    this.received.push(received);
    const answering = this.answering(received, this.received.length);
    this.#arrivals.emit('arrival');
    const answer = await answering;
    if (answer === 'hang') return;
    const { status, headers: more } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
    response.writeHead(status, more).end();
  }
}
