import { formatPosition, type Position } from '@tidemark/domain';
import type { DeploymentKeys } from '@tidemark/keys';
import { VERSION_HEADER } from '@tidemark/protocol';
import type { PushConfig } from '@tidemark/push';
import { createHash } from 'node:crypto';
import { deliveryId } from './delivery-id';
import type { Notification } from './notification';
import { signingKey, standardSignature } from './standard-webhook';

export const TOKEN_HEADER = 'X-A2A-Notification-Token';
export const SIGNATURE_HEADER = 'A2A-Notification-Signature';

/** A captured delivery is worth nothing after this. */
const VALID_SECONDS = 300;

export type Attempt = {
  readonly config: PushConfig;
  readonly position: Position;
  readonly notification: Notification;
  readonly at: Date;
};

export type Signer = {
  /** Without them nothing is signed as the deployment. */
  readonly keys: Pick<DeploymentKeys, 'sign'> | undefined;
  /** Who says so: the public URL of the gateway, which serves the keys. */
  readonly issuer: string;
};

/** By which a receiver knows who calls, what for, and whether it has been told before. */
export async function deliveryHeaders(attempt: Attempt, signer: Signer): Promise<Readonly<Record<string, string>>> {
  const { config, notification } = attempt;
  const jwt = await signedClaims(attempt, signer);
  return {
    'Content-Type': notification.contentType,
    [VERSION_HEADER]: config.dialect,
    ...(jwt && { [SIGNATURE_HEADER]: jwt }),
    ...authorization(config, jwt),
    ...webhookHeaders(attempt),
  };
}

/** A bearer whose credentials nobody gave is us. */
function authorization({ authentication }: PushConfig, jwt: string | undefined): Record<string, string> {
  const { scheme, credentials } = authentication ?? { scheme: 'Bearer' };
  if (credentials !== undefined) return { Authorization: `${scheme} ${credentials}` };
  if (scheme.toLowerCase() === 'bearer') return jwt ? { Authorization: `${scheme} ${jwt}` } : {};
  return { Authorization: scheme };
}

/** A secret that signs is not sent: whoever saw it could sign too. */
function webhookHeaders({ config, position, notification: { body }, at }: Attempt): Record<string, string> {
  const { token } = config;
  const key = signingKey(token);
  const content = { id: deliveryId(config, position), atSeconds: secondsOf(at), body };
  return {
    'webhook-id': content.id,
    'webhook-timestamp': String(content.atSeconds),
    ...(key && { 'webhook-signature': standardSignature(key, content) }),
    ...(token !== undefined && !key && { [TOKEN_HEADER]: token }),
  };
}

/** A JWT of this one attempt, which the public keys of the deployment verify. */
async function signedClaims(attempt: Attempt, { keys, issuer }: Signer): Promise<string | undefined> {
  const { config, position, notification, at } = attempt;
  const claims = {
    ...{ iss: issuer, aud: new URL(config.url).origin },
    ...{ iat: secondsOf(at), exp: secondsOf(at) + VALID_SECONDS, jti: deliveryId(config, position) },
    ...{ task_id: config.taskId, config_id: config.configId, position: formatPosition(position) },
    body_sha256: createHash('sha256').update(notification.body).digest('hex'),
  };
  return keys?.sign(Buffer.from(JSON.stringify(claims)), { typ: 'JWT' });
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);
