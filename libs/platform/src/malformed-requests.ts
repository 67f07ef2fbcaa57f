import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';

/** The body of an answer to what is no request: a path whose escapes are wrong, headers that contradict each other. */
export type Malformed = (status: number, message: string) => object;

const JSON_TYPE = 'application/json; charset=utf-8';

/** What Fastify does with what never becomes a request of its own. */
export const requestOptions = (malformed: Malformed) => ({
  rewriteUrl: originForm,
  querystringParser: parseQuery,
  http: { requireHostHeader: false }, // it would be refused without a body: whoever routes requests looks at it
  frameworkErrors: ({ message }: Error, _request: unknown, { raw }: { readonly raw: ServerResponse }): void => {
    raw.writeHead(400, { 'content-type': JSON_TYPE }).end(JSON.stringify(malformed(400, message)));
  },
  clientErrorHandler: (error: Broken, socket: Socket): void => refuseBroken(socket, error, malformed),
});

/**
 * A target is taken in absolute form, too (RFC 9112, section 3.2.2): its scheme and authority say nothing here. The one
 * of asterisk form becomes a path, so that a router takes it; `originalUrl` tells the two apart.
 */
export function originForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url === '*') return '/*';
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return target === url || target.startsWith('/') ? target : `/${target}`;
}

/** Stands for what the escapes of a query say that is no UTF-8: no text that was read can be the same. */
export const NOT_UTF8 = '\uD800';

/** What a query says. Whoever reads it refuses `NOT_UTF8`, by the name of the parameter. */
export const parseQuery = (text: string): Readonly<Record<string, unknown>> =>
  parse(text, '&', '=', { decodeURIComponent: decoded });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return NOT_UTF8;
  }
}

/** What the parser of Node says of bytes that are not HTTP. */
type Broken = Error & { readonly code?: string; readonly reason?: unknown };

/** Node would answer without a body (RFC 9110, section 10.1.1). */
export const refuseExpectation =
  (malformed: Malformed) =>
  (_request: unknown, response: ServerResponse): void => {
    const body = JSON.stringify(malformed(417, 'The header Expect must be 100-continue, or be left out'));
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(417, headers).end(body);
  };

const STATUSES: Readonly<Record<string, readonly [status: number, phrase: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** There is no request to reply to, so the answer is written as it is, and the connection closed. */
function refuseBroken(socket: Socket, { code = '', message, reason }: Broken, malformed: Malformed): void {
  if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const [status, phrase] = STATUSES[code] ?? [400, 'Bad Request'];
  const why = typeof reason === 'string' && reason !== '' ? reason : message;
  const body = JSON.stringify(malformed(status, `The request is not valid HTTP: ${why}`));
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const answers = new WeakMap<Socket, ServerResponse>();

/** Keeps in mind what is answered on which connection, for `isAnswering`. */
export function noteAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  answers.set(socket, response);
}

/** Whether an answer is half written, so that another one would become a part of it. */
function isAnswering(socket: Socket): boolean {
  const answer = answers.get(socket);
  return answer !== undefined && answer.headersSent && !answer.writableFinished;
}
