import type { Caller } from './caller';
import type { Scheme } from './unauthenticated';

/** One way to show who calls. */
export interface CredentialKind {
  readonly scheme: Scheme;
  /** What to send, in a few words. */
  readonly advice: string;
  /** Undefined where a request does not try it. */
  credentialIn(header: (name: string) => string | undefined): string | undefined;
  /** @throws ProtocolError UNAUTHENTICATED */
  callerOf(credential: string): Promise<Caller>;
}
