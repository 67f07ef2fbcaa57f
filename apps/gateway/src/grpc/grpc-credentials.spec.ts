import { Client, credentials, Server } from '@grpc/grpc-js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toCredentials } from './grpc-credentials';

const directory = mkdtempSync(join(tmpdir(), 'tidemark-tls-'));
const certificatePath = join(directory, 'cert.pem');
const keyPath = join(directory, 'key.pem');

afterAll(() => rmSync(directory, { recursive: true }));

/** Of `localhost`, signed by itself; nothing but this test knows it. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUIyWFWYAb/Pj+rnpOCJbGCo635a0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDIxNDgzN1oYDzIxMjYxMTA2
MjE0ODM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARjJj88GGl2edhMw7/LXPtuSHr8HkIph6sZ+oachKzqGfc8+RZAmsrU
cp86W35fHgnoiNEZMiJX/5+a+mu61cy6o28wbTAdBgNVHQ4EFgQU0GrSNXKW/WI1
R50FHUd1oF4KeI8wHwYDVR0jBBgwFoAU0GrSNXKW/WI1R50FHUd1oF4KeI8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALo2EbyGxMCnWU2W/D/TpMAYrY6zkooJcZ+NtSro36N2AiBy
4i06wXc5Ji7N9GGaK4WjHDztknSEGW9D1N3kMWpUjQ==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzIK7NyYYyplk1BB3
wbtx+x5aRweaGWcnLAjiDSi816GhRANCAARjJj88GGl2edhMw7/LXPtuSHr8HkIp
h6sZ+oachKzqGfc8+RZAmsrUcp86W35fHgnoiNEZMiJX/5+a+mu61cy6
-----END PRIVATE KEY-----`;

beforeEach(() => {
  writeFileSync(certificatePath, CERTIFICATE);
  writeFileSync(keyPath, KEY);
});

describe('TLS of the gRPC server', () => {
  it('is served with the certificate of the file', async () => {
    const server = new Server();
    const port = await new Promise<number>((bound, failed) =>
      server.bindAsync('127.0.0.1:0', toCredentials({ certificatePath, keyPath }), (error, free) =>
        error ? failed(error) : bound(free),
      ),
    );
    const ready = (client: Client): Promise<unknown> =>
      new Promise((settle) => client.waitForReady(Date.now() + 2_000, settle)).finally(() => client.close());
    const trusting = new Client(`localhost:${port}`, credentials.createSsl(Buffer.from(CERTIFICATE)));
    expect(await ready(trusting)).toBeUndefined();
    expect(await ready(new Client(`127.0.0.1:${port}`, credentials.createInsecure()))).toBeInstanceOf(Error);
    server.forceShutdown();
  });

  it('does not start without its files', () => {
    const missing = join(directory, 'missing.pem');
    expect(() => toCredentials({ certificatePath: missing, keyPath })).toThrow(/GRPC_TLS_CERT_FILE.*cannot be read/);
    expect(() => toCredentials({ certificatePath, keyPath: missing })).toThrow(/GRPC_TLS_KEY_FILE.*cannot be read/);
  });

  it('does not start with something else in them', () => {
    writeFileSync(keyPath, 'no key');
    expect(() => toCredentials({ certificatePath, keyPath })).toThrow(/no certificate and its key/);
  });
});
