import { ConfigError, parseConfig } from '@tidemark/platform';
import { settings, toGateway } from './settings';

describe('the gateway without authentication', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('serves the loopback address %s', (HOST) => {
    expect(parseConfig(settings, { HOST }).HOST).toBe(HOST);
  });

  it.each(['0.0.0.0', '::', '192.168.1.1', 'example.com', '127.0.0.1.example.com'])('refuses to serve %s', (HOST) => {
    expect(() => parseConfig(settings, { HOST })).toThrow(ConfigError);
    expect(() => parseConfig(settings, { HOST })).toThrow(/HOST.*ALLOW_REMOTE_ANONYMOUS/);
  });

  it('serves any address where it is told that this is meant', () => {
    expect(parseConfig(settings, { HOST: '0.0.0.0', ALLOW_REMOTE_ANONYMOUS: 'true' }).HOST).toBe('0.0.0.0');
  });
});

describe('the gateway with authentication', () => {
  it.each([
    { AUTH_ISSUER: 'https://login.example', AUTH_AUDIENCE: 'agents' },
    { AUTH_ISSUER: 'any name', AUTH_AUDIENCE: 'agents', AUTH_JWKS: '/etc/jwks.json' },
    { API_KEYS_FILE: '/etc/keys.json' },
  ])('serves any address: %j', (env) => {
    expect(parseConfig(settings, { ...env, HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0');
  });

  it.each([
    [{ AUTH_ISSUER: 'https://login.example' }, /AUTH_AUDIENCE: must be set/],
    [{ AUTH_ISSUER: 'any name', AUTH_AUDIENCE: 'agents' }, /AUTH_ISSUER: must be an http or https URL/],
    [{ AUTH_AUDIENCE: 'agents' }, /AUTH_AUDIENCE: counts only .* AUTH_ISSUER/],
    [{ AUTH_JWKS: '/etc/jwks.json' }, /AUTH_JWKS: counts only .* AUTH_ISSUER/],
    [{ AUTH_TENANT_CLAIM: 'org' }, /AUTH_TENANT_CLAIM: counts only .* AUTH_ISSUER/],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /TRUSTED_PROXIES: expected IP addresses/],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /TRUSTED_PROXIES/],
  ])('refuses to start on %j', (env, expected) => {
    expect(() => parseConfig(settings, env)).toThrow(ConfigError);
    expect(() => parseConfig(settings, env)).toThrow(expected);
  });

  it('trusts the proxies that it is told of', () => {
    expect(parseConfig(settings, { TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '::1',
    ]);
  });
});

describe('the public URL', () => {
  it('is what the configuration says, or else where the gateway listens', () => {
    expect(toGateway(parseConfig(settings, {})).publicUrl).toBe('http://127.0.0.1:8080');
    expect(toGateway(parseConfig(settings, { HOST: '::1', PORT: '1' })).publicUrl).toBe('http://[::1]:1');
    const PUBLIC_URL = 'https://agents.example.com/a2a';
    expect(toGateway(parseConfig(settings, { PUBLIC_URL })).publicUrl).toBe(PUBLIC_URL);
  });
});

describe('gRPC', () => {
  const grpcOf = (env: Readonly<Record<string, string>>) => toGateway(parseConfig(settings, env));

  it('is served beside HTTP, where cards say that it is', () => {
    expect(grpcOf({})).toMatchObject({ grpcAddress: '127.0.0.1:50051', grpc: { bindAddress: '127.0.0.1:50051' } });
    expect(grpcOf({ HOST: '::1', GRPC_PORT: '7' }).grpcAddress).toBe('[::1]:7');
    const GRPC_PUBLIC_ADDRESS = 'agents.example.com:443';
    expect(grpcOf({ GRPC_PUBLIC_ADDRESS })).toMatchObject({
      ...{ grpcAddress: GRPC_PUBLIC_ADDRESS, grpc: { bindAddress: '127.0.0.1:50051' } },
    });
  });

  it('may be left out', () => {
    expect(grpcOf({ GRPC: 'false' })).not.toHaveProperty('grpcAddress');
    expect(grpcOf({ GRPC: 'false' })).not.toHaveProperty('grpc');
  });

  it('takes a certificate and its key, and neither alone', () => {
    const files = { GRPC_TLS_CERT_FILE: 'cert.pem', GRPC_TLS_KEY_FILE: 'key.pem' };
    expect(grpcOf(files).grpc?.tls).toEqual({ certificatePath: 'cert.pem', keyPath: 'key.pem' });
    for (const name of Object.keys(files)) {
      expect(() => grpcOf({ [name]: 'x.pem' })).toThrow(/GRPC_TLS_KEY_FILE: GRPC_TLS_CERT_FILE and this one/);
    }
  });

  it.each(['nowhere', 'http://h:1', 'h:', ':1', 'h:1/x'])('refuses %s as its address', (GRPC_PUBLIC_ADDRESS) => {
    expect(() => grpcOf({ GRPC_PUBLIC_ADDRESS })).toThrow(/GRPC_PUBLIC_ADDRESS: expected host:port/);
  });
});
