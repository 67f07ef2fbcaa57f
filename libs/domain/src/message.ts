import type { JsonObject, JsonValue } from './json';

/** What a part carries: exactly one of these (A2A 1.0.1, section 4.1.6). `raw` is base64. */
export type PartContent =
  { readonly text: string } | { readonly raw: string } | { readonly url: string } | { readonly data: JsonValue };

export type Part = PartContent & {
  readonly metadata?: JsonObject;
  readonly filename?: string;
  readonly mediaType?: string;
};

/** One thing that the user or the agent said. Its task and context are those of the task that holds it. */
export type Message = {
  readonly messageId: string;
  readonly role: 'user' | 'agent';
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
};

/** A plain sentence of the agent. */
export const agentText = (messageId: string, text: string): Message => ({
  messageId,
  role: 'agent',
  parts: [{ text }],
});
