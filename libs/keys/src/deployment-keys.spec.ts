import { compactVerify, createLocalJWKSet } from 'jose';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeploymentKeys } from './deployment-keys';
import { KeyFileError, SealError } from './errors';
import { formatKeyFile, parseKeyFile, withNewKeys } from './key-file';

const payload = new TextEncoder().encode('{"name":"Trip planner"}');
const purpose = 'webhook default.echo.1.2';

describe('the keys of a deployment', () => {
  it('sign what their public half verifies', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const verified = await compactVerify(await keys.sign(payload, { typ: 'JOSE' }), createLocalJWKSet(keys.jwks));
    expect(Buffer.from(verified.payload)).toEqual(Buffer.from(payload));
    expect(verified.protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JOSE' });
  });

  it('show nothing private', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    expect(JSON.stringify(keys.jwks)).not.toMatch(/"(d|k)":/);
    expect(keys.jwks.keys).toHaveLength(1);
  });

  it('still verify and open what was made before a rotation', async () => {
    const old = await withNewKeys();
    const before = new DeploymentKeys(old);
    const [signed, sealed] = await Promise.all([before.sign(payload), before.seal('s3cret', purpose)]);

    const after = new DeploymentKeys(await withNewKeys(old));
    await expect(compactVerify(signed, createLocalJWKSet(after.jwks))).resolves.toBeDefined();
    await expect(after.open(sealed, purpose)).resolves.toBe('s3cret');

    const both = await after.signByAll(payload);
    expect(both).toHaveLength(2);
    await expect(compactVerify(both[0] ?? '', createLocalJWKSet(before.jwks))).rejects.toThrow();
    await expect(compactVerify(both[1] ?? '', createLocalJWKSet(before.jwks))).resolves.toBeDefined();
  });

  it('open what they sealed for the same purpose, and nothing else', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const sealed = await keys.seal('s3cret', purpose);
    expect(sealed).not.toContain('s3cret');
    await expect(keys.open(sealed, purpose)).resolves.toBe('s3cret');
    await expect(keys.open(sealed, 'webhook default.echo.1.3')).rejects.toThrow(SealError);
    await expect(new DeploymentKeys(await withNewKeys()).open(sealed, purpose)).rejects.toThrow(SealError);
    await expect(keys.open('no.secret', purpose)).rejects.toThrow(SealError);
  });

  it('are read from a file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'tidemark-keys-')), 'keys.json');
    const made = await withNewKeys();
    writeFileSync(path, formatKeyFile(made));
    expect((await DeploymentKeys.load(path)).jwks).toEqual(new DeploymentKeys(made).jwks);
    await expect(DeploymentKeys.load(`${path}.missing`)).rejects.toThrow(/keys\.json\.missing cannot be read/);
    writeFileSync(path, '{"keys": [');
    await expect(DeploymentKeys.load(path)).rejects.toThrow(/^the key file .*keys\.json is none: it must be a JWK Set/);
  });
});

describe('a key file', () => {
  it('is what was formatted', async () => {
    const made = await withNewKeys(await withNewKeys());
    expect(parseKeyFile(formatKeyFile(made))).toEqual(made);
  });

  it.each(['', '[]', '{}', '{"keys":[]}', '{"keys":[{"kty":"oct","use":"enc","kid":"a","k":"c2hvcnQ"}]}'])(
    'is refused where it is %j',
    (content) => {
      expect(() => parseKeyFile(content)).toThrow(KeyFileError);
    },
  );

  it('is refused where two keys have one name', async () => {
    const { signing, sealing } = await withNewKeys();
    const content = formatKeyFile({ signing: [...signing, ...signing], sealing });
    expect(() => parseKeyFile(content)).toThrow(/each with a kid/);
  });
});
