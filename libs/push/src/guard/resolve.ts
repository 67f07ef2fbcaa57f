import type { LookupAddress } from 'node:dns';
import { setTimeout as delay } from 'node:timers/promises';
import { WebhookRefusedError, WebhookUnresolvedError } from '../errors';
import { isAddress, isAllowedAddress } from './address';
import { type Lookup, publicNames, systemNames } from './look-up';
import { checkUrl, NOT_PUBLIC, type WebhookPolicy } from './webhook-url';

const TIMEOUT_MS = 5_000;

/** Names that only this machine and its networks know are found where they are allowed. */
export const lookupFor = ({ allowPrivate }: WebhookPolicy): Lookup => (allowPrivate ? systemNames : publicNames());

/**
 * The URL of a webhook that may be registered: one address that is not allowed is enough to refuse it. A name that has
 * no address at the moment is let in, since nothing is known against it: every call resolves and checks again.
 * @throws WebhookRefusedError
 */
export async function resolveAndCheck(text: string, policy: WebhookPolicy, lookup = lookupFor(policy)): Promise<URL> {
  const url = checkUrl(text, policy);
  if (isAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return url;
  await allowedAddresses(url.hostname, policy, lookup).catch((error: unknown) => {
    if (!(error instanceof WebhookUnresolvedError)) throw error;
  });
  return url;
}

/** @throws WebhookRefusedError */
export async function allowedAddresses(
  hostname: string,
  { allowPrivate }: WebhookPolicy,
  lookup: Lookup,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolved(hostname, lookup);
  if (addresses.length === 0) throw new WebhookUnresolvedError(UNKNOWN);
  if (addresses.every(({ address }) => isAllowedAddress(address, allowPrivate))) return addresses;
  throw new WebhookRefusedError(NOT_PUBLIC);
}

async function resolved(hostname: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const over = new AbortController();
  const tooLate = async (): Promise<never> => {
    await delay(TIMEOUT_MS, undefined, { signal: over.signal, ref: false });
    throw new Error('no answer');
  };
  try {
    return await Promise.race([lookup(hostname), tooLate()]);
  } catch (cause) {
    throw new WebhookUnresolvedError(UNKNOWN, { cause });
  } finally {
    over.abort();
  }
}

const UNKNOWN = 'must have a host that can be resolved; it cannot at the moment';
