import type { JsonObject } from '@tidemark/domain';
import { InvalidParamsError, REPLAY_EXTENSION_URI, type SendMessageRequest } from '@tidemark/protocol';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Scope } from '../callers/caller';
import { derivedUuid } from './derived-uuid';

/** The id of a new task, and where the call is idempotent the hash that tells a retry from another request. */
export type Identity = { readonly taskId: string; readonly fingerprint?: string };

/**
 * Without a key every call makes a task. With one the id is derived from tenant, agent, principal and key, so that
 * a retry on any replica meets the same subjects of the log, for as long as the log is kept.
 */
export function identify(scope: Scope, request: SendMessageRequest, key: string | undefined): Identity {
  if (key === undefined) return { taskId: v7() };
  const { tenant, agent, principal } = scope;
  return { taskId: derivedUuid([tenant, agent, principal, key]), fingerprint: fingerprintOf(request) };
}

/**
 * Of all that the agent gets. A client that retries may well make a new message id, and say the key in another place; and
 * metadata that are empty are none.
 */
function fingerprintOf({ message, contextId, metadata = {} }: SendMessageRequest): string {
  const parts = message.parts.map((part) => ({ ...part, metadata: unlessEmpty(part.metadata) }));
  const said = { ...message, parts, messageId: undefined, metadata: unlessEmpty(message.metadata) };
  const asked = Object.entries(metadata).filter(([name]) => name !== REPLAY_EXTENSION_URI);
  const text = canonicalize({ message: said, contextId, metadata: unlessEmpty(Object.fromEntries(asked)) });
  if (text === undefined) throw new InvalidParamsError([{ field: 'message', description: 'must be JSON' }]);
  return createHash('sha256').update(text).digest('base64url');
}

const unlessEmpty = (metadata: JsonObject = {}): JsonObject | undefined =>
  Object.keys(metadata).length > 0 ? metadata : undefined;
