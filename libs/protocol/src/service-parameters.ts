import { ProtocolError } from './errors';

export const PROTOCOL_VERSION = '1.0';

/** Names of the service parameters, as HTTP headers and gRPC metadata (A2A 1.0.1, section 3.2.6). */
export const VERSION_HEADER = 'a2a-version';
export const EXTENSIONS_HEADER = 'a2a-extensions';

/** The query parameter that may take the place of the header (A2A 1.0.1, section 3.6.1). */
export const VERSION_QUERY = 'A2A-Version';

/** Which version a request is written in: its method, its path or its package says so. */
export type Dialect = '1.0' | '0.3';

/**
 * Throws VERSION_NOT_SUPPORTED unless the client asks for the version that its request is written in (A2A 1.0.1,
 * section 3.6). A patch number is ignored. A client that does not say is believed to ask for it.
 */
export function assertVersion(header = '', dialect: Dialect = PROTOCOL_VERSION): void {
  const version = /^(\d+\.\d+)(\.\d+)?$/.exec(header.trim())?.[1];
  if (header.trim() === '' || version === dialect) return;
  throw new ProtocolError('VERSION_NOT_SUPPORTED', {
    message: `The protocol version of the request is not supported: use ${PROTOCOL_VERSION}`,
    metadata: { supportedVersions: PROTOCOL_VERSION },
  });
}
