import { ProtocolError } from './errors';

/** The methods of A2A 0.3 by their JSON-RPC names (0.3.0, section 7). */
export const LEGACY_METHODS = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
] as const;

export type LegacyMethod = (typeof LEGACY_METHODS)[number];

/** Whether a method is written as 0.3 writes them: all of its names have a slash, and none of 1.0 has. */
export const isLegacyName = (method: string): boolean => method.includes('/');

/** Throws METHOD_NOT_FOUND where A2A 0.3 has no such method. */
export function parseLegacyMethod(name: string): LegacyMethod {
  const method = LEGACY_METHODS.find((known) => known === name);
  if (method) return method;
  throw new ProtocolError('METHOD_NOT_FOUND', { metadata: { supportedMethods: LEGACY_METHODS.join(',') } });
}
