import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export type DnsOptions = {
  /** Those of this machine where they are not given. */
  readonly servers?: readonly string[];
  /** What has come by then is the answer. */
  readonly timeoutMs?: number;
};

/** As every other program on this machine would: hosts files, search domains and all. */
export const systemNames: Lookup = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * As the DNS has it, and nobody else. The system's own lookup holds a thread of the process for as long as a server of
 * names takes, and there are four: who makes it wait for an answer would stop all others.
 */
export const publicNames =
  ({ servers, timeoutMs = 4_000 }: DnsOptions = {}): Lookup =>
  async (hostname) => {
    const resolver = new Resolver();
    if (servers) resolver.setServers(servers);
    const enough = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
      return [...addressesIn(four, 4), ...addressesIn(six, 6)];
    } finally {
      clearTimeout(enough);
    }
  };

const addressesIn = (result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
