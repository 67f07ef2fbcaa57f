import type { DeploymentKeys } from '@tidemark/keys';
import { type CardSignature, withoutEmpty } from '@tidemark/protocol';
import canonicalize from 'canonicalize';

/**
 * What is signed of a card (A2A 1.0.1, section 8.4.1): RFC 8785 of all but its signatures and what is empty in it. The
 * official SDKs verify by the same bytes.
 */
export function payloadOf({ signatures: _, ...card }: { readonly signatures?: unknown }): Uint8Array {
  return new TextEncoder().encode(canonicalize(withoutEmpty(card)) ?? '');
}

/** A signature by each key (section 8.4.2): while keys rotate, whoever knows one of them can verify. */
export async function signaturesOf(card: object, keys: DeploymentKeys): Promise<CardSignature[]> {
  return (await keys.signByAll(payloadOf(card), { typ: 'JOSE' })).map(withoutPayload);
}

function withoutPayload(jws: string): CardSignature {
  const [header = '', , signature = ''] = jws.split('.');
  return { protected: header, signature };
}
