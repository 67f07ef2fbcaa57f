import type { JsonObject, JsonValue } from './json';

/**
 * What a part carries: exactly one of these (A2A 1.0.1, section 4.1.6). `raw` is base64. `stored` is only known to the log
 * and to agents: clients neither write it nor see it.
 */
export type PartContent =
  | { readonly text: string }
  | { readonly raw: string }
  | { readonly url: string }
  | { readonly data: JsonValue }
  | { readonly stored: StoredContent };

/** Content that is too large for an event: kept beside the log, among what else belongs to the task. */
export type StoredContent = {
  /** Of its bytes, in lower-case hexadecimal digits: names them within the task. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** What it was: the bytes of `raw`, the UTF-8 of `text`, or the JSON of `data`. */
  readonly content: 'raw' | 'text' | 'data';
};

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
