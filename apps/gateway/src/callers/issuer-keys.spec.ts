import { createLogger } from '@tidemark/platform';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWK, jwtVerify, SignJWT } from 'jose';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { discoveryUrl, issuerKeys, jwksUriIn, KeysUnavailableError } from './issuer-keys';

const logger = createLogger('test', 'silent');

let server: Server;
let issuer: string;
let one: GenerateKeyPairResult;
let two: GenerateKeyPairResult;
let published: JWK[];
let said: Record<string, unknown>;
let status: number;
let asked: string[];

beforeAll(async () => {
  [one, two] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  server = createServer((request, reply) => {
    asked.push(request.url ?? '');
    const body = request.url === '/jwks' ? { keys: published } : said;
    if (request.url === '/moved') reply.setHeader('location', '/jwks');
    reply.statusCode = request.url === '/moved' ? 302 : status;
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(async () => {
  published = [{ ...(await exportJWK(one.publicKey)), kid: 'one', alg: 'ES256' }];
  said = { issuer, jwks_uri: `${issuer}/jwks` };
  status = 200;
  asked = [];
});

afterAll(() => server.close());

const token = ({ privateKey }: GenerateKeyPairResult, kid: string): Promise<string> =>
  new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);

describe('the keys of an issuer', () => {
  it('are found by discovery, once', async () => {
    const keys = issuerKeys({ issuer, logger });
    await Promise.all([1, 2, 3].map(async () => jwtVerify(await token(one, 'one'), keys)));
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are fetched from where the configuration says, and kept', async () => {
    const keys = issuerKeys({ issuer, jwks: `${issuer}/jwks`, logger });
    for (const kid of ['one', 'one', 'one']) await jwtVerify(await token(one, kid), keys);
    expect(asked).toEqual(['/jwks']);
  });

  it('are not asked for again by every token of an unknown key', async () => {
    const keys = issuerKeys({ issuer, jwks: `${issuer}/jwks`, logger });
    await jwtVerify(await token(one, 'one'), keys);
    for (const kid of ['two', 'three', 'four']) {
      await expect(jwtVerify(await token(two, kid), keys)).rejects.toThrow('no applicable key');
    }
    expect(asked).toEqual(['/jwks']);
  });

  it('are fetched again for a new key when they are a while old', async () => {
    const keys = issuerKeys({ issuer, jwks: `${issuer}/jwks`, logger });
    await jwtVerify(await token(one, 'one'), keys);
    published.push({ ...(await exportJWK(two.publicKey)), kid: 'two', alg: 'ES256' });
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    await jwtVerify(await token(two, 'two'), keys).finally(() => later.mockRestore());
    expect(asked).toEqual(['/jwks', '/jwks']);
  });

  it.each([
    ['the issuer fails', () => void (status = 500)],
    ['the issuer says that it is another one', () => void (said = { ...said, issuer: 'https://other.example' })],
    ['the issuer does not say where they are', () => void (said = { issuer })],
    ['they are at a place that sends elsewhere', () => void (said = { ...said, jwks_uri: `${issuer}/moved` })],
    ['they are no keys', () => void (published = 'none' as never)],
  ])('cannot be had where %s, for a while', async (_, broken) => {
    broken();
    const keys = issuerKeys({ issuer, logger });
    await expect(jwtVerify(await token(one, 'one'), keys)).rejects.toThrow(KeysUnavailableError);
    const before = asked.length;
    await expect(jwtVerify(await token(one, 'one'), keys)).rejects.toThrow(KeysUnavailableError);
    expect(asked).toHaveLength(before);

    [status, said] = [200, { issuer, jwks_uri: `${issuer}/jwks` }];
    published = [{ ...(await exportJWK(one.publicKey)), kid: 'one', alg: 'ES256' }];
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_000);
    await jwtVerify(await token(one, 'one'), keys).finally(() => later.mockRestore());
  });

  it('are there for others, whatever a token names', async () => {
    published.push({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'broken', alg: 'ES256' });
    const keys = issuerKeys({ issuer, jwks: `${issuer}/jwks`, logger });
    await jwtVerify(await token(one, 'one'), keys);
    await expect(jwtVerify(await token(one, 'broken'), keys)).rejects.toThrow('no applicable key');
    await jwtVerify(await token(one, 'one'), keys);

    status = 500; // when a key that is missing is asked for again
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    await expect(jwtVerify(await token(two, 'two'), keys)).rejects.toThrow('no applicable key');
    await jwtVerify(await token(one, 'one'), keys).finally(() => later.mockRestore());
    expect(asked).toEqual(['/jwks', '/jwks']);
  });

  it('are not asked for by every token of an unknown key while the issuer fails', async () => {
    const keys = issuerKeys({ issuer, jwks: `${issuer}/jwks`, logger });
    await jwtVerify(await token(one, 'one'), keys);
    status = 500;
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    for (const kid of ['two', 'three', 'four']) {
      await expect(jwtVerify(await token(two, kid), keys)).rejects.toThrow('no applicable key');
    }
    expect(asked).toEqual(['/jwks', '/jwks']);

    status = 200;
    published.push({ ...(await exportJWK(two.publicKey)), kid: 'two', alg: 'ES256' });
    later.mockReturnValue(Date.now() + 2_000);
    await jwtVerify(await token(two, 'two'), keys).finally(() => later.mockRestore());
    expect(asked).toEqual(['/jwks', '/jwks', '/jwks']);
  });

  it.each([
    ['https://login.example', 'https://keys.example/jwks', 'https://keys.example/jwks'],
    ['http://login.local', 'http://login.local/jwks', 'http://login.local/jwks'],
    ['http://login.local', 'https://keys.example/jwks', 'https://keys.example/jwks'],
    ['https://login.example', 'http://login.example/jwks', undefined],
    ['https://login.example', 'ftp://login.example/jwks', undefined],
    ['https://login.example', '/jwks', undefined],
  ])('of %s may be at %s: %s', (name, uri, expected) => {
    const found = () => jwksUriIn({ issuer: name, jwks_uri: uri }, name);
    if (expected === undefined) expect(found).toThrow();
    else expect(found()).toBe(expected);
  });

  it('are looked for below the path of the issuer', () => {
    expect(discoveryUrl('https://login.example/realms/a/')).toBe(
      'https://login.example/realms/a/.well-known/openid-configuration',
    );
  });
});
