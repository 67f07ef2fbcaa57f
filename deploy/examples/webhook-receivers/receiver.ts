import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * A receiver of webhooks that believes nothing it cannot verify, and does nothing twice. Settings: PORT; ISSUER and
 * JWKS_URL, of the gateway; AUDIENCE, the origin of its own URL; SECRET, the `whsec_` token of the config if it has one.
 */
const { PORT = '9000', ISSUER = '', JWKS_URL = `${ISSUER}/.well-known/jwks.json`, AUDIENCE = '', SECRET } = process.env;

const TOLERANCE_SECONDS = 300;
const keys = createRemoteJWKSet(new URL(JWKS_URL));
/** Ids that were taken, and until when one may come again. A real receiver keeps them where it keeps its work. */
const taken = new Map<string, number>();

createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = await answerTo(request.headers, Buffer.concat(chunks));
    response.writeHead(status).end();
  })();
}).listen(Number(PORT), '127.0.0.1', () => console.log('listening'));

/** 401 for what is not to be believed. What was taken before is taken again with 200, or it would be sent for ever. */
async function answerTo(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
  const id = String(headers['webhook-id']);
  const seconds = Number(headers['webhook-timestamp']);
  const now = Date.now() / 1_000;
  if (!(Math.abs(now - seconds) <= TOLERANCE_SECONDS)) return 401;
  if (SECRET && !isSigned(headers, body, SECRET)) return 401;
  if (!(await isFromIssuer(String(headers['a2a-notification-signature']), id, body))) return 401;
  for (const [known, until] of taken) if (until < now) taken.delete(known);
  if (taken.has(id)) return 200;
  taken.set(id, now + 2 * TOLERANCE_SECONDS);
  console.log(`taken ${id} ${body.toString()}`);
  return 200;
}

/** Standard Webhooks: an HMAC of id, time and body. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const [id, seconds] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
  const content = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
  const expected = Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
  const given = String(headers['webhook-signature']).split(' ');
  return given.some((signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1' && value.length === expected.length && timingSafeEqual(Buffer.from(value), expected);
  });
}

/** The JWT: from this deployment, for this receiver, of these five minutes, about this body. */
async function isFromIssuer(jwt: string, id: string, body: Buffer): Promise<boolean> {
  try {
    const limits = { issuer: ISSUER, audience: AUDIENCE, algorithms: ['ES256'], requiredClaims: ['iat', 'exp', 'jti'] };
    const { payload } = await jwtVerify(jwt, keys, limits);
    return payload.jti === id && payload.body_sha256 === createHash('sha256').update(body).digest('hex');
  } catch {
    return false;
  }
}
