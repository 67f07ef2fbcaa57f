import type { JsonObject, Part, StoredContent } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { type FieldViolation, ProtocolError } from './errors';
import { LIMITS } from './limits';
import { violationsOf } from './params';
import { part } from './part';
import { isObject, unsafePart } from './plain-json';
import { bool, id, list, mustBe, protoMessage, struct, text } from './proto-json';

// What an agent yields. It may be written without types, and what it yields is kept for ever, so it is looked at like
// what comes from a client. It is copied too: an agent may go on to change what it has yielded.

const MAX_PARTS = 10_000;

type Said = {
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
};

/** The outputs of an agent as the log can take them; `@tidemark/agent` has the types for authors. */
export type ParsedOutput =
  | { readonly type: 'working' | 'completed' | 'failed' | 'rejected'; readonly said?: Said }
  | { readonly type: 'input-required' | 'auth-required'; readonly said: Said }
  | { readonly type: 'artifact'; readonly produced: Said & ProducedFields }
  | { readonly type: 'checkpoint'; readonly checkpoint: JsonObject }
  | { readonly type: 'token'; readonly artifact: string; readonly text: string };

type ProducedFields = {
  readonly artifactId?: string;
  readonly name: string;
  readonly description?: string;
  readonly append?: true;
  readonly lastChunk?: true;
};

const stored: z.ZodType<StoredContent> = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: mustBe('a SHA-256 in hexadecimal digits') }),
  sizeBytes: z.int().min(0),
  content: z.enum(['raw', 'text', 'data']),
});

const storedPart = protoMessage({
  stored,
  metadata: struct().optional(),
  filename: text().optional(),
  mediaType: text().optional(),
});

const KNOWN: ReadonlySet<string> = new Set([
  ...['text', 'raw', 'url', 'data', 'stored', 'metadata', 'filename', 'mediaType', 'media_type'],
]);

/** Members that a later version knows, of a part that an agent hands on. */
const unknownOf = (value: unknown): object =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => !KNOWN.has(name)));

/** A part of the agent's own, or one that it hands on whose content is stored already. */
const anyPart = z.unknown().transform((value, context): Part => {
  const schema: z.ZodType = isObject(value) && Object.hasOwn(value, 'stored') ? storedPart : part;
  const result = schema.safeParse(value);
  if (result.success) return copied({ ...unknownOf(value), ...(result.data as Part) });
  for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

const json = () => struct().transform((value) => copied(value));
const parts = () => list(anyPart, MAX_PARTS);
const extensions = () =>
  list(text(), LIMITS.listedStrings)
    .optional()
    .transform((uris) => (uris && uris.length > 0 ? uris : undefined));
const said = () =>
  protoMessage({ parts: parts(), metadata: json().optional(), extensions: extensions() }).transform((value): Said =>
    defined(value),
  );

const produced = protoMessage({
  artifactId: id().optional(),
  name: id(),
  description: text().optional(),
  parts: parts(),
  metadata: json().optional(),
  extensions: extensions(),
  append: bool().optional(),
  lastChunk: bool().optional(),
}).transform(({ append, lastChunk, ...fields }) =>
  defined({ ...fields, ...(append && { append: true as const }), ...(lastChunk && { lastChunk: true as const }) }),
);

const words = { said: said().optional() };

const OUTPUTS: { readonly [Type in ParsedOutput['type']]: z.ZodType<object> } = {
  working: protoMessage(words),
  completed: protoMessage(words),
  failed: protoMessage(words),
  rejected: protoMessage(words),
  'input-required': protoMessage({ said: said() }),
  'auth-required': protoMessage({ said: said() }),
  artifact: protoMessage({ produced }),
  checkpoint: protoMessage({ checkpoint: json() }),
  token: protoMessage({ artifact: id(), text: text() }),
};

const TYPES = Object.keys(OUTPUTS) as [ParsedOutput['type'], ...ParsedOutput['type'][]];
const typed = protoMessage({ type: z.enum(TYPES, { error: mustBe(`one of ${TYPES.join(', ')}`) }) });

/** A copy of what an agent yields. @throws ProtocolError INVALID_AGENT_RESPONSE with what is wrong, by field */
export function parseAgentOutput(value: unknown): ParsedOutput {
  const unsafe = unsafePart(value, 'output');
  if (unsafe) throw invalid([unsafe]);
  const { type } = read(typed, value);
  return defined({ ...read(OUTPUTS[type], value), type }) as ParsedOutput;
}

/** What JSON would make of it. Texts are the bulk of all content, and need no copy. */
function copied<T>(value: T): T {
  return isBare(value) ? value : (JSON.parse(JSON.stringify(value)) as T);
}

const isBare = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((member) => typeof member === 'string');

function read<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(violationsOf(result.error, 'output'));
}

const invalid = (violations: readonly FieldViolation[]) => new ProtocolError('INVALID_AGENT_RESPONSE', { violations });
