import { ProtocolError } from '@tidemark/protocol';

/** How a credential comes, by the names that WWW-Authenticate gives them. */
export type Scheme = 'Bearer' | 'ApiKey';

/** Nobody has shown who calls. */
export const unidentified = (message: string): ProtocolError => new ProtocolError('UNAUTHENTICATED', { message });

/** A credential came, and is not good. */
export const badCredential = (scheme: Scheme, message: string): ProtocolError =>
  new ProtocolError('UNAUTHENTICATED', {
    message,
    metadata: scheme === 'Bearer' ? { error: 'invalid_token' } : {},
  });

/** The same refusal, which also says how to do better. */
export const withSchemes = (refusal: ProtocolError, schemes: readonly Scheme[]): ProtocolError =>
  new ProtocolError(refusal.code, {
    message: refusal.message,
    metadata: { ...refusal.metadata, schemes: schemes.join(',') },
  });

const CHALLENGES: Readonly<Record<string, string>> = {
  Bearer: 'Bearer realm="tidemark"',
  ApiKey: 'ApiKey realm="tidemark", header="X-API-Key"',
};

/** What a refusal says in the headers of HTTP, on whatever binding (RFC 9110, sections 10.2.3 and 11.6.1; RFC 6750). */
export function refusalHeaders({ code, message, metadata }: ProtocolError): Record<string, string> {
  const { retryAfterSeconds, schemes = 'Bearer', error } = metadata;
  if (code === 'RATE_LIMITED') return { 'retry-after': retryAfterSeconds ?? '1' };
  if (code !== 'UNAUTHENTICATED') return {};
  const bearer = error === undefined ? '' : `, error="${error}", error_description="${quotable(message)}"`;
  const challenges = schemes
    .split(',')
    .map((scheme) => `${CHALLENGES[scheme] ?? scheme}${scheme === 'Bearer' ? bearer : ''}`);
  return { 'www-authenticate': challenges.join(', ') };
}

/** What a quoted string of a header can hold as it is. */
const quotable = (text: string): string => text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
