import type { AgentExtension, AgentProfile } from './agent-profile';
import { CONTEXT_GRAPH_EXTENSION } from './context-graph-extension';
import { DEADLINE_EXTENSION } from './deadline-extension';
import { ProtocolError } from './errors';
import { REPLAY_EXTENSION } from './replay-extension';

/** What this server adds to the protocol, as agent cards declare it (A2A 1.0.1, sections 4.4.4 and 4.6). */
export const EXTENSIONS = [REPLAY_EXTENSION, CONTEXT_GRAPH_EXTENSION, DEADLINE_EXTENSION] as const;

/** What the card of an agent declares: ours, then those that are its own. */
export const extensionsOf = ({ extensions = [] }: Pick<AgentProfile, 'extensions'>): readonly AgentExtension[] => [
  ...EXTENSIONS,
  ...extensions,
];

/**
 * Which of the extensions that a client names in A2A-Extensions are active: those that the card declares, in its order.
 * An unknown one is ignored; another version has another URI, and is never taken for the one that is asked for (4.6.3).
 */
export function activatedExtensions(header = '', declared: readonly AgentExtension[] = EXTENSIONS): string[] {
  const wanted = new Set(header.split(',').map((uri) => uri.trim()));
  return declared.map(({ uri }) => uri).filter((uri) => wanted.has(uri));
}

/** @throws EXTENSION_SUPPORT_REQUIRED where a required extension is not among the active ones (4.6.2) */
export function assertRequiredExtensions(declared: readonly AgentExtension[], active: readonly string[]): void {
  const missing = declared.filter(({ uri, required }) => required && !active.includes(uri)).map(({ uri }) => uri);
  if (missing.length === 0) return;
  const requiredExtensions = missing.join(',');
  throw new ProtocolError('EXTENSION_SUPPORT_REQUIRED', {
    message: `The agent requires extensions that the client did not declare in A2A-Extensions: ${requiredExtensions}`,
    metadata: { requiredExtensions },
  });
}
