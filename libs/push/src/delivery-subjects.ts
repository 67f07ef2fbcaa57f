import { keyOf, keyOfSubject, PUSH_CONFIG_BUCKET, refOf } from './config-key';
import type { PushConfigRef } from './push-config';

/** What waits to be delivered: no events, but the names of the webhooks that have some to come. */
export const PUSH_QUEUE = 'PUSH_QUEUE';
export const ALL_KICKS = 'push.kick.>';
const KICK = 'push.kick.';
export const ALL_LATER = 'push.later.>';
export const KICK_CONSUMER = 'push-kicks';
export const CONFIG_CONSUMER = 'push-configs';
export const PUSH_CURSOR_BUCKET = 'PUSH_CURSORS';

/** Every change of a config is a message of its bucket. */
export const ALL_PUSH_CONFIGS = `$KV.${PUSH_CONFIG_BUCKET}.>`;

/** Whoever takes this looks whether the webhook has events to come. A newer one takes the place of one that waits. */
export const kickSubject = (ref: PushConfigRef): string => KICK + keyOf(ref);

/** Where a kick waits for its time. A later one takes its place. */
export const laterSubject = (ref: PushConfigRef): string => `push.later.${keyOf(ref)}`;

/** Said, in core NATS, when a webhook has failed for too long. */
export const parkedSubject = (ref: PushConfigRef): string => `push.parked.${keyOf(ref)}`;

/** Whom a kick is for; undefined for a subject of another shape. */
export const kickedBy = (subject: string): PushConfigRef | undefined =>
  subject.startsWith(KICK) ? refOf(subject.slice(KICK.length)) : undefined;

/** Whose config has changed; undefined for a subject of another shape. */
export const configOf = (subject: string): PushConfigRef | undefined => refOf(keyOfSubject(subject));
