import { ServerCredentials } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Files of PEM. */
export type TlsFiles = { readonly certificatePath: string; readonly keyPath: string };

/** Plaintext without files. @throws Error naming the setting whose file cannot be read */
export function toCredentials(files: TlsFiles | undefined): ServerCredentials {
  if (!files) return ServerCredentials.createInsecure();
  const pair = {
    cert_chain: readPem('GRPC_TLS_CERT_FILE', files.certificatePath),
    private_key: readPem('GRPC_TLS_KEY_FILE', files.keyPath),
  };
  try {
    createSecureContext({ cert: pair.cert_chain, key: pair.private_key });
    return ServerCredentials.createSsl(null, [pair]);
  } catch (cause) {
    throw new Error('GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE: they are no certificate and its key, as PEM', { cause });
  }
}

function readPem(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${setting}: the file cannot be read`, { cause });
  }
}
