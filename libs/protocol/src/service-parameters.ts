import { ProtocolError } from './errors';
import { EXTENSIONS } from './extensions';

export const PROTOCOL_VERSION = '1.0';

/** Names of the service parameters, as HTTP headers and gRPC metadata (A2A 1.0.1, section 3.2.6). */
export const VERSION_HEADER = 'a2a-version';
export const EXTENSIONS_HEADER = 'a2a-extensions';

/**
 * Throws VERSION_NOT_SUPPORTED unless the client speaks 1.0 (A2A 1.0.1, section 3.6). A patch number is ignored. A
 * client that does not say is believed to speak 1.0: the methods of older versions have other names.
 */
export function assertVersion(header = ''): void {
  const version = header.trim();
  if (version === '' || /^1\.0(\.\d+)?$/.test(version)) return;
  throw new ProtocolError('VERSION_NOT_SUPPORTED', {
    message: `The protocol version of the request is not supported: use ${PROTOCOL_VERSION}`,
    metadata: { supportedVersions: PROTOCOL_VERSION },
  });
}

/** Which of the extensions that a client asks for in A2A-Extensions are active: what the reply echoes (4.6). */
export function activatedExtensions(header = ''): string[] {
  const wanted = new Set(header.split(',').map((uri) => uri.trim()));
  return EXTENSIONS.map(({ uri }) => uri as string).filter((uri) => wanted.has(uri));
}
