import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import { START } from '@tidemark/domain';
import { freePort } from '@tidemark/testing';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { deliveryHeaders } from '../../apps/notifier/src/delivery-headers';

const ROOT = resolve(__dirname, '../..');
const SOURCES = join(ROOT, 'deploy/examples/webhook-receivers');
const ISSUER = 'https://agents.example.com';
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const BODY = Buffer.from('{"statusUpdate":{"taskId":"task-1"}}');

const folder = mkdtempSync(join(tmpdir(), 'tidemark-receivers-'));
let keys: DeploymentKeys;
let strangers: DeploymentKeys;
let jwks: Server;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [keys, strangers] = [new DeploymentKeys(await withNewKeys()), new DeploymentKeys(await withNewKeys())];
  jwks = createServer((_, response) => response.end(JSON.stringify(keys.jwks))).listen(0, '127.0.0.1');
  await once(jwks, 'listening');
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  jwks.closeAllConnections();
  await new Promise((closed) => jwks.close(closed));
  rmSync(folder, { recursive: true, force: true });
});

/** The command of each sample; undefined, with a line that says why, where what it needs is not there. */
const COMMANDS: Readonly<Record<string, () => readonly [string, ...string[]] | undefined>> = {
  TypeScript: () => [process.execPath, join(ROOT, 'dist/deploy/examples/webhook-receivers/receiver.js')],
  Python: () => {
    if (!has('python3', '-c', 'import cryptography')) return undefined;
    return ['python3', join(SOURCES, 'receiver.py')];
  },
  Go: () => {
    const binary = join(folder, 'receiver');
    return has('go', 'build', '-o', binary, join(SOURCES, 'receiver.go')) ? [binary] : undefined;
  },
};

function has(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 120_000, env: { ...process.env, GOFLAGS: '-mod=mod' } });
    return true;
  } catch {
    process.stderr.write(`skipped: ${file} ${args[0]} is not to be had\n`);
    return false;
  }
}

type Sample = {
  readonly url: string;
  readonly taken: () => number;
  /** Waits until the last refusal that was printed has such a reason. */
  readonly refusal: (reason: RegExp) => Promise<void>;
};

async function started([file, ...args]: readonly [string, ...string[]]): Promise<Sample> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const JWKS_URL = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/`;
  const env = { ...process.env, PORT: String(port), ISSUER, JWKS_URL, AUDIENCE: url, SECRET };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = child.stdout.pipe(new PassThrough());
  let said = '';
  lines.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('listening')) await once(lines, 'data');
  const refusal = async (reason: RegExp) => {
    while (!reason.test(/refused \S+: (.*)\n$/.exec(said)?.[1] ?? '')) await once(lines, 'data');
  };
  return { url, taken: () => said.split('taken msg_').length - 1, refusal };
}

type Over = {
  readonly at?: Date;
  readonly signedBy?: DeploymentKeys;
  readonly audience?: string;
  readonly token?: string;
};

let next = 0;

async function captured(sample: Sample, over: Over = {}) {
  const { at = new Date(), signedBy = keys, audience = sample.url, token = SECRET } = over;
  const ref = { tenant: 'default', agent: 'echo', taskId: 'task-1', configId: 'hook' };
  const createdAt = '2026-01-15T10:00:00.000Z';
  const config = { ...ref, url: `${audience}/hook`, token, dialect: '1.0', after: START, createdAt } as const;
  const position = { version: ++next, sequence: next };
  const notification = { body: BODY, contentType: 'application/a2a+json' };
  return deliveryHeaders({ config, position, notification, at }, { keys: signedBy, issuer: ISSUER });
}

const post = async ({ url }: Sample, headers: Readonly<Record<string, string>>, body: Buffer = BODY): Promise<number> =>
  (await fetch(`${url}/hook`, { method: 'POST', headers, body: new Uint8Array(body) })).status;

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const secondsNow = (): number => Math.floor(Date.now() / 1_000);

type Headers = Readonly<Record<string, string>>;
type Change = (headers: Headers) => [Headers, Buffer?];

/** The secret is checked before the JWT, and it covers id, time and body. */
const SIGNATURE = /^webhook-signature is not made with SECRET$/;
const ANOTHER_SECRET = `whsec_${Buffer.from('another secret of the same length').toString('base64')}`;

describe.each(Object.keys(COMMANDS))('the sample receiver in %s', (language) => {
  let sample: Sample | undefined;

  beforeAll(async () => {
    const command = COMMANDS[language]?.();
    sample = command && (await started(command));
  });

  it('takes a delivery, and does nothing when the same one is sent again', async () => {
    if (!sample) return;
    const headers = await captured(sample);
    expect([await post(sample, headers), await post(sample, headers)]).toEqual([200, 200]);
    expect(sample.taken()).toBe(1);
  });

  const refused: readonly (readonly [string, () => Over, RegExp])[] = [
    ['that was captured six minutes ago', () => ({ at: minutesAgo(6) }), /^webhook-timestamp is not/],
    ['of a time to come', () => ({ at: minutesAgo(-6) }), /^webhook-timestamp is not/],
    ['that others have signed', () => ({ signedBy: strangers }), /^the JWT (names a key|does not verify)/],
    [
      'for another receiver',
      () => ({ audience: 'https://other.example.org' }),
      /^the JWT is for aud "https:\/\/other\.example\.org", and AUDIENCE is "http:\/\/127\.0\.0\.1:\d+"$/,
    ],
    ['with another secret', () => ({ token: ANOTHER_SECRET }), /^webhook-signature is not made with SECRET$/],
  ];

  it.each(refused)('refuses a delivery %s, and says why', async (_, over, reason) => {
    if (!sample) return;
    const before = sample.taken();
    expect(await post(sample, await captured(sample, over()))).toBe(401);
    await sample.refusal(reason);
    expect(sample.taken()).toBe(before);
  });

  const changed: readonly (readonly [string, Change, RegExp])[] = [
    ['another body', (headers) => [headers, Buffer.from('{"statusUpdate":{"taskId":"task-2"}}')], SIGNATURE],
    ['another id', (headers) => [{ ...headers, 'webhook-id': 'msg_other' }], SIGNATURE],
    ['a newer time', (headers) => [{ ...headers, 'webhook-timestamp': String(secondsNow() + 1) }], SIGNATURE],
    ['no signature', ({ 'A2A-Notification-Signature': _, ...headers }) => [headers], /JWT/],
  ];

  it.each(changed)('refuses a captured delivery with %s, and says why', async (_, change, reason) => {
    if (!sample) return;
    const before = sample.taken();
    expect(await post(sample, ...change(await captured(sample)))).toBe(401);
    await sample.refusal(reason);
    expect(sample.taken()).toBe(before);
  });
});
