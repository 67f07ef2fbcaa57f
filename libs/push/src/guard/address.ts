import { type IPv4, type IPv6, isValid, parse, parseCIDR, subnetMatch } from 'ipaddr.js';

/** What is allowed to whom private addresses are: this machine and its own networks, and nothing else that is special. */
const OWN: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** All that is routed on the Internet is in here; what translates, tunnels or is set aside is told apart by its range. */
const GLOBAL_IPV6 = parseCIDR('2000::/3') as [IPv6, number];
/** Set aside since, and not known to the library. */
const MORE_RESERVED = ['2001::/23', '3fff::/20'].map((cidr) => parseCIDR(cidr) as [IPv6, number]);

/**
 * What clouds tell their own machines, where that is at an address that looks like any other, or like one of a network
 * of one's own. Most are link-local, and refused with their range.
 */
const METADATA = [
  '100.80.80.80/32', // UCloud
  '100.88.222.5/32', // Tencent Cloud
  '100.96.0.96/32', // Volcano Engine
  '100.100.100.200/32', // Alibaba Cloud
  'fd00:100::100:200/128', // Alibaba Cloud
  '168.63.129.16/32', // Azure, its WireServer
  '192.0.0.192/32', // Oracle Cloud
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
  '192.80.8.124/32', // Equinix Metal
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Linode
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google Cloud
].map((cidr) => parseCIDR(cidr));

export const isAddress = (text: string): boolean => isValid(text);

/**
 * True for an address that a webhook may be at. Mapped, translated and tunnelled addresses are refused whatever they
 * lead to, and so are link-local ones and the others where clouds keep their secrets.
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!isValid(address)) return false;
  const parsed = parse(address);
  if (subnetMatch(parsed, { metadata: METADATA }, 'other') === 'metadata') return false;
  return isPublic(parsed) || (allowPrivate && OWN.has(parsed.range()));
}

function isPublic(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return address.match(GLOBAL_IPV6) && !MORE_RESERVED.some((range) => address.match(range));
}
