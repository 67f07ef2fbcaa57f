import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One address for several servers, as a load balancer has it: new connections go to whichever is the target then. */
export class TcpFront {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(public target: number) {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async start(target: number): Promise<TcpFront> {
    const front = new TcpFront(target);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
