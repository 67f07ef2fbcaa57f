import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, ROOT } from './markdown';
import { snippetsIn } from './snippets';

/** Where a program finds the packages of this repository. */
const CACHE = join(ROOT, 'node_modules/.cache');

let folder: string;

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'tidemark-token-'));
  const [program] = snippetsIn(readDocument('docs/guides/authentication.md'), 'js');
  writeFileSync(join(folder, 'token.mjs'), program ?? '');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tokenFor = (principal: string, tenant: string): string =>
  execFileSync(process.execPath, ['token.mjs', principal, tenant], { cwd: folder, encoding: 'utf8' }).trim();

async function callerIn(token: string): Promise<unknown> {
  const jwks = JSON.parse(readFileSync(join(folder, 'jwks.json'), 'utf8')) as JSONWebKeySet;
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), { issuer: 'urn:me', audience: 'urn:tidemark' });
  return [payload.sub, payload['org']];
}

describe('token.mjs of docs/guides/authentication.md', () => {
  it('signs tokens for several callers with one key, so that none takes away the token of another', async () => {
    const tokens = [tokenFor('alice', 'acme'), tokenFor('bob', 'globex')];
    expect(await Promise.all(tokens.map(callerIn))).toEqual([
      ['alice', 'acme'],
      ['bob', 'globex'],
    ]);
  });

  it('keeps its private key for its owner, and out of what it publishes', () => {
    expect(statSync(join(folder, 'key.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, 'jwks.json'), 'utf8')).not.toContain('"d"');
  });
});
