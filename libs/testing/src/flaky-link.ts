import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a server that can be cut: every connection over it breaks at once, new ones are let through. */
export type FlakyLink = { readonly url: string; cut(): void; close(): void };

export async function startFlakyLink(port: number): Promise<FlakyLink> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
}
