import { ProtocolError } from './errors';

export const PROTOCOL_VERSION = '1.0';

/** The version before, which is served beside it. */
export const LEGACY_VERSION = '0.3';

/** Names of the service parameters, as HTTP headers and gRPC metadata (A2A 1.0.1, section 3.2.6). */
export const VERSION_HEADER = 'a2a-version';
export const EXTENSIONS_HEADER = 'a2a-extensions';

/** What 0.3 calls the header of extensions. */
export const LEGACY_EXTENSIONS_HEADER = 'x-a2a-extensions';

/** The query parameter that may take the place of the header (A2A 1.0.1, section 3.6.1). */
export const VERSION_QUERY = 'A2A-Version';

/** Which version a request is written in: its method, its path or its package says so. */
export type Dialect = typeof PROTOCOL_VERSION | typeof LEGACY_VERSION;

/** Whether the letter of A2A 1.0.1, section 3.6.2, is kept against clients that leave the version out or mix it up. */
export type VersionRule = 'lenient' | 'strict';

/**
 * Throws VERSION_NOT_SUPPORTED where the version that a client asks for is none that is served, or is not the one that
 * its request is written in. A patch number is ignored. By the letter a client that does not say asks for 0.3; unless
 * the rule is strict it is believed to ask for what it writes, and what is written in 0.3 is served as 0.3 whatever is asked.
 */
export function assertVersion(header = '', dialect: Dialect = PROTOCOL_VERSION, rule: VersionRule = 'lenient'): void {
  const isSaid = header.trim() !== '';
  const asked = isSaid ? toVersion(header) : LEGACY_VERSION;
  if (asked === undefined) throw notSupported(whyNot(header));
  const isForgiven = rule === 'lenient' && (!isSaid || dialect === LEGACY_VERSION);
  if (asked === dialect || isForgiven) return;
  throw notSupported(`it is written in ${dialect}: send A2A-Version: ${dialect}`);
}

/** The version that is meant by a text, of those that are served. Said more than once it is a list of the same. */
export function toVersion(text = ''): Dialect | undefined {
  const [said, ...others] = new Set(text.split(',').map((one) => one.trim()));
  const version = /^(\d+\.\d+)(\.\d+)?$/.exec(said ?? '')?.[1];
  const isOne = others.length === 0;
  return isOne && (version === PROTOCOL_VERSION || version === LEGACY_VERSION) ? version : undefined;
}

const whyNot = (header: string): string =>
  header.includes(',') && header.split(',').every((one) => toVersion(one) !== undefined)
    ? `A2A-Version names more than one: send ${LEGACY_VERSION} or ${PROTOCOL_VERSION}`
    : `use ${LEGACY_VERSION} or ${PROTOCOL_VERSION}`;

const notSupported = (why: string) =>
  new ProtocolError('VERSION_NOT_SUPPORTED', {
    message: `The protocol version of the request is not supported: ${why}`,
    metadata: { supportedVersions: `${LEGACY_VERSION},${PROTOCOL_VERSION}` },
  });
