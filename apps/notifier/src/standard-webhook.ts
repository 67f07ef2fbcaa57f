import { createHmac } from 'node:crypto';

/** What is signed, as Standard Webhooks lays out. */
export type SignedContent = { readonly id: string; readonly atSeconds: number; readonly body: Buffer };

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The key in a token that is a secret to sign with: `whsec_` and base64. Any other token is sent as it is. */
export function signingKey(token: string | undefined): Buffer | undefined {
  if (!token?.startsWith(PREFIX)) return undefined;
  const encoded = token.slice(PREFIX.length);
  return encoded && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

/** The `webhook-signature` of version 1. */
export function standardSignature(key: Buffer, { id, atSeconds, body }: SignedContent): string {
  const signature = createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64');
  return `v1,${signature}`;
}
