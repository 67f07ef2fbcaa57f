import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

/**
 * A receiver of webhooks that believes nothing it cannot verify, and does nothing twice. Settings: PORT; ISSUER and
 * JWKS_URL, of the gateway; AUDIENCE, the origin of its own URL as the config has it; SECRET, the `whsec_` token of the
 * config if it has one. It prints a line for each event that it takes, and one that says why for each that it refuses.
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
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on port ${PORT}, for ${AUDIENCE}`));

/** 401 for what is not to be believed. What was taken before is taken again with 200, or it would be sent for ever. */
async function answerTo(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
  const id = String(headers['webhook-id']);
  const refusal = await refusalOf(headers, body);
  if (refusal) {
    console.log(`refused ${id}: ${refusal}`);
    return 401;
  }
  const now = Date.now() / 1_000;
  for (const [known, until] of taken) if (until < now) taken.delete(known);
  if (taken.has(id)) return 200;
  taken.set(id, now + 2 * TOLERANCE_SECONDS);
  console.log(`taken ${id} ${body.toString()}`);
  return 200;
}

/** Why a delivery is not believed; undefined for one that is. */
async function refusalOf(headers: IncomingHttpHeaders, body: Buffer): Promise<string | undefined> {
  const age = Math.abs(Date.now() / 1_000 - Number(headers['webhook-timestamp']));
  if (!(age <= TOLERANCE_SECONDS)) return 'webhook-timestamp is not of these five minutes';
  if (SECRET && !isSigned(headers, body, SECRET)) return 'webhook-signature is not made with SECRET';
  try {
    const limits = { issuer: ISSUER, algorithms: ['ES256'], requiredClaims: ['iat', 'exp', 'jti'] };
    const { payload } = await jwtVerify(String(headers['a2a-notification-signature']), keys, limits);
    return refusalOfClaims(payload, String(headers['webhook-id']), body);
  } catch (error) {
    return `the JWT does not verify: ${(error as Error).message}`;
  }
}

/** What this deployment has signed may be for another receiver, or about another delivery. */
function refusalOfClaims({ aud, jti, body_sha256 }: JWTPayload, id: string, body: Buffer): string | undefined {
  if (aud !== AUDIENCE) return `the JWT is for aud ${JSON.stringify(aud)}, and AUDIENCE is "${AUDIENCE}"`;
  if (jti !== id) return 'the JWT is about another webhook-id';
  const isAboutBody = body_sha256 === createHash('sha256').update(body).digest('hex');
  return isAboutBody ? undefined : 'the JWT is about another body';
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
