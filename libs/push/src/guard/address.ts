import { type IPv4, type IPv6, isValid, parse, parseCIDR } from 'ipaddr.js';

/** What is allowed to whom private addresses are: this machine and its own networks, and nothing else that is special. */
const OWN: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** All that is routed on the Internet is in here; what translates, tunnels or is set aside is told apart by its range. */
const GLOBAL_IPV6 = parseCIDR('2000::/3') as [IPv6, number];
/** Set aside since, and not known to the library. */
const MORE_RESERVED = ['2001::/23', '3fff::/20'].map((cidr) => parseCIDR(cidr) as [IPv6, number]);

export const isAddress = (text: string): boolean => isValid(text);

/**
 * True for an address that a webhook may be at. Mapped, translated and tunnelled addresses are refused whatever they
 * lead to, and so are link-local ones: there the clouds keep their secrets.
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!isValid(address)) return false;
  const parsed = parse(address);
  return isPublic(parsed) || (allowPrivate && OWN.has(parsed.range()));
}

function isPublic(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return address.match(GLOBAL_IPV6) && !MORE_RESERVED.some((range) => address.match(range));
}
