import type { Caller } from './caller';
import type { Scheme } from './unauthenticated';

/** Where credentials come; a line of one of these is a credential, whatever is in it. */
export const CREDENTIAL_HEADERS = ['authorization', 'x-api-key'] as const;

export type CredentialHeader = (typeof CREDENTIAL_HEADERS)[number];

/** One way to show who calls. */
export interface CredentialKind {
  readonly scheme: Scheme;
  /** The header that it comes in. */
  readonly header: CredentialHeader;
  /** What to send, in a few words. */
  readonly advice: string;
  /** Undefined where the line of the header holds something else. */
  credentialIn(line: string): string | undefined;
  /** @throws ProtocolError UNAUTHENTICATED */
  callerOf(credential: string): Promise<Caller>;
}
