import { connect } from 'node:net';

/** An answer as it is on the wire. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What is sent after the answer has come so far. */
type Then = { readonly after: string; readonly more: string };

/** Sends bytes to a server, and reads until it closes the connection. */
export function sendRaw(url: string, request: string, then?: Then): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    let later = then;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (!later || !Buffer.concat(chunks).includes(later.after)) return;
      socket.write(later.more);
      later = undefined;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(read(Buffer.concat(chunks).toString())));
  });
}

function read(answer: string): RawAnswer {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(/:\s*(.*)/s))
    .map(([name = '', value = '']): [string, string] => [name.toLowerCase(), value]);
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body };
}

/** A request without a body, after which the server closes the connection. */
export const requestTo = (line: string, headers = 'Host: a.test'): string =>
  `${line} HTTP/1.1\r\n${headers === '' ? '' : `${headers}\r\n`}Connection: close\r\n\r\n`;
