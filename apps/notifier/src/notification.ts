import { StreamResponse as LegacySource } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import type { StreamResponse } from '@tidemark/protocol';
import type { PushConfig } from '@tidemark/push';

/** What is posted. */
export type Notification = { readonly body: Buffer; readonly contentType: string };

const legacy = new V03PushNotificationSerializer();

/** One event in the version that the receiver reads: exactly the frame of a stream (A2A 1.0.1, section 4.3.3). */
export function toNotification(response: StreamResponse, dialect: PushConfig['dialect']): Notification {
  if (dialect === '1.0') return { body: Buffer.from(JSON.stringify(response)), contentType: 'application/a2a+json' };
  const { body, contentType } = legacy.serialize(LegacySource.fromJSON(response));
  return { body: Buffer.from(body), contentType };
}
