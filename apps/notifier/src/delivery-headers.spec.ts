import { START, type Position } from '@tidemark/domain';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import type { PushConfig } from '@tidemark/push';
import { aRef } from '@tidemark/testing';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { deliveryHeaders, SIGNATURE_HEADER, TOKEN_HEADER } from './delivery-headers';
import { toNotification } from './notification';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const ISSUER = 'https://agents.example.com';
const POSITION: Position = { version: 3, sequence: 17 };
const BODY = Buffer.from('{"statusUpdate":{}}');

const aConfig = (over: Partial<PushConfig> = {}): PushConfig => ({
  ...aRef({ taskId: 'task-1' }),
  ...{ configId: 'hook', url: 'https://client.example.org:8443/hook?key=secret', dialect: '1.0', after: START },
  createdAt: '2026-01-15T10:00:00.000Z',
  ...over,
});

let keys: DeploymentKeys;

beforeAll(async () => {
  keys = new DeploymentKeys(await withNewKeys());
});

function headersOf(over: Partial<PushConfig> = {}, attempt: { readonly at?: Date; readonly position?: Position } = {}) {
  const { at = new Date(), position = POSITION } = attempt;
  const notification = { body: BODY, contentType: 'application/a2a+json' };
  return deliveryHeaders({ config: aConfig(over), position, notification, at }, { keys, issuer: ISSUER });
}

const verified = (jwt: string | undefined) =>
  jwtVerify(jwt ?? '', createLocalJWKSet(keys.jwks), { issuer: ISSUER, audience: 'https://client.example.org:8443' });

describe('the headers of a delivery', () => {
  it.each<[string, Partial<PushConfig>, Record<string, string | undefined>]>([
    [
      'a scheme with credentials',
      { authentication: { scheme: 'Basic', credentials: 'abc' } },
      { Authorization: 'Basic abc' },
    ],
    ['a scheme alone', { authentication: { scheme: 'Negotiate' } }, { Authorization: 'Negotiate' }],
    ['a token', { token: 'session-7' }, { [TOKEN_HEADER]: 'session-7', 'webhook-signature': undefined }],
    ['a secret to sign with', { token: SECRET }, { [TOKEN_HEADER]: undefined }],
    ['a token that only looks like one', { token: 'whsec_?' }, { [TOKEN_HEADER]: 'whsec_?' }],
    ['the dialect', { dialect: '0.3' }, { 'a2a-version': '0.3' }],
  ])('carry %s', async (_, over, expected) => {
    const headers = await headersOf(over);
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, headers[name]]));
    expect(found).toEqual(expected);
  });

  it('are believed by any library of Standard Webhooks, with this body only', async () => {
    const headers = { ...(await headersOf({ token: SECRET })) };
    const webhook = new Webhook(SECRET);
    expect(webhook.verify(BODY, headers)).toEqual(JSON.parse(BODY.toString()));
    expect(() => webhook.verify(`${BODY.toString()} `, headers)).toThrow('No matching signature');
  });

  it('hold a JWT about this attempt, which the public keys verify', async () => {
    const at = new Date();
    const headers = await headersOf({ authentication: { scheme: 'Basic', credentials: 'abc' } }, { at });
    const { payload, protectedHeader } = await verified(headers[SIGNATURE_HEADER]);
    const iat = Math.floor(at.getTime() / 1_000);
    expect(payload).toEqual({
      ...{ iss: ISSUER, aud: 'https://client.example.org:8443', iat, exp: iat + 300, jti: headers['webhook-id'] },
      ...{ task_id: 'task-1', config_id: 'hook', position: '3-17' },
      body_sha256: createHash('sha256').update(BODY).digest('hex'),
    });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JWT' });
  });

  it.each([undefined, { scheme: 'Bearer' }])('show the JWT as a bearer token to %j', async (authentication) => {
    const headers = await headersOf({ authentication });
    expect(headers.Authorization).toBe(`Bearer ${headers[SIGNATURE_HEADER]}`);
  });

  it('are without a JWT where the deployment has no keys', async () => {
    const notification = { body: BODY, contentType: 'application/a2a+json' };
    const attempt = { config: aConfig(), position: POSITION, notification, at: new Date() };
    const headers = await deliveryHeaders(attempt, { keys: undefined, issuer: ISSUER });
    expect(Object.keys(headers)).toEqual(['Content-Type', 'a2a-version', 'webhook-id', 'webhook-timestamp']);
  });

  it('name an event for a webhook the same way at every attempt, and no other one so', async () => {
    const ids = await Promise.all([
      headersOf({}, { at: new Date(0) }),
      headersOf({ token: 'another' }),
      headersOf({}, { position: { version: 4, sequence: 17 } }),
      headersOf({ configId: 'other' }),
      headersOf({ createdAt: '2026-01-15T10:00:01.000Z' }),
    ]);
    const [first, again, ...others] = ids.map((headers) => headers['webhook-id']);
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(1 + others.length);
  });
});

describe('a notification', () => {
  const metadata = { 'urn:tidemark:replay:v1': { position: '3-17' } };
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-15T10:00:00.000Z' } as const;
  const response = { statusUpdate: { taskId: 't', contextId: 'c', status, metadata } };

  it('is the frame of a stream', () => {
    const { body, contentType } = toNotification(response, '1.0');
    expect([contentType, JSON.parse(body.toString())]).toEqual(['application/a2a+json', response]);
  });

  it('is a bare event of 0.3 where the receiver reads that', () => {
    const { body, contentType } = toNotification(response, '0.3');
    const { timestamp } = status;
    expect([contentType, JSON.parse(body.toString())]).toEqual([
      'application/json',
      {
        kind: 'status-update',
        taskId: 't',
        contextId: 'c',
        status: { state: 'completed', timestamp },
        final: true,
        metadata,
      },
    ]);
  });
});
