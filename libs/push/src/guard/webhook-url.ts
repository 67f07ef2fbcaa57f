import { WebhookRefusedError } from '../errors';
import { isAddress, isAllowedAddress } from './address';

/** Where webhooks may be. */
export type WebhookPolicy = {
  /** Also http, any port, and addresses of this machine and its networks: for development. */
  readonly allowPrivate: boolean;
  readonly ports: readonly number[];
};

export const MAX_URL_LENGTH = 2_048;

/** Dots of other scripts, which are dots to a resolver; and what hides the host from whoever reads the URL. */
const DISGUISED = /[。．｡%\\]/;
const UNPRINTABLE = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

/** Names of the metadata services of clouds that no rule below covers, or that development would let in. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'instance-data',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'metadata.digitalocean.com',
  'api.metadata.cloud.ibm.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'instance-data.ec2.internal',
  'rancher-metadata.rancher.internal',
]);

/**
 * Names that no public server has: those of this machine and of networks, by use or by RFC 6761, 6762 and 8375, those
 * that are for tests and samples (RFC 6761), outside of the DNS (RFC 9476), or for the DNS itself (RFC 3172).
 */
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|test|example|invalid|alt|arpa)$/;

/** Whoever speaks no Tor asks nobody for such a name (RFC 7686, section 2). */
const ONION_NAMES = /(^|\.)onion$/;

/** As RFC 1123 has it, section 2.1; and with `_`, which is not to be registered, but is found below many a name. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const MAX_NAME_LENGTH = 253;

/**
 * The URL of a webhook as it will be called: with its host in ASCII. Nothing is looked up.
 * @throws WebhookRefusedError
 */
export function checkUrl(text: string, { allowPrivate, ports }: WebhookPolicy): URL {
  const url = parsed(text, allowPrivate);
  const isHostPlain = !DISGUISED.test(authorityOf(text)) && !url.hostname.endsWith('.');
  refuseUnless(!url.username && !url.password && !authorityOf(text).includes('@'), 'must hold no credentials');
  refuseUnless(!text.includes('#'), 'must have no fragment');
  refuseUnless(isHostPlain, 'must have a host that is written plainly');
  refuseUnless(allowPrivate || ports.includes(portOf(url)), `must have one of the ports ${ports.join(', ')}`);
  checkHost(text, url.hostname, allowPrivate);
  return url;
}

function parsed(text: string, allowPrivate: boolean): URL {
  const expected = allowPrivate ? 'must be an absolute URL with https or http' : 'must be an absolute https URL';
  refuseUnless(text.length <= MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`);
  refuseUnless(!UNPRINTABLE.test(text), 'must be without spaces and control characters');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSpoken = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:');
  if (!url || !isSpoken || !/^https?:\/\/[^/]/i.test(text)) throw new WebhookRefusedError(expected);
  return url;
}

function checkHost(text: string, hostname: string, allowPrivate: boolean): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isAddress(address)) return checkName(hostname, allowPrivate);
  const isIPv6 = address !== hostname;
  // 0177.1, 2130706433 and the like are read as addresses, but nobody who means well writes them.
  refuseUnless(isIPv6 || hostOf(text) === hostname, 'must have an address in its usual form, or a name');
  refuseUnless(isAllowedAddress(address, allowPrivate), NOT_PUBLIC);
}

function checkName(name: string, allowPrivate: boolean): void {
  refuseUnless(name.length <= MAX_NAME_LENGTH && name.split('.').every((label) => LABEL.test(label)), NO_NAME);
  refuseUnless(!METADATA_NAMES.has(name) && !ONION_NAMES.test(name), NOT_PUBLIC);
  if (allowPrivate) return;
  refuseUnless(name.includes('.') && !PRIVATE_NAMES.test(name), NOT_PUBLIC);
}

const NO_NAME = `must have a host of at most ${MAX_NAME_LENGTH} characters: labels of 1 to 63 letters, digits and inner hyphens`;

/** The same sentence for all of them: a client learns nothing of the network that the server is in. */
export const NOT_PUBLIC = 'must have a host that is public';

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** What is between the scheme and the path, as it was written. */
const authorityOf = (text: string): string => /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';

const hostOf = (text: string): string => authorityOf(text).replace(/:\d*$/, '');

function refuseUnless(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new WebhookRefusedError(reason);
}
