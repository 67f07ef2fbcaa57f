import type { JsonObject, JsonValue, Part } from '@tidemark/domain';
import { z } from 'zod';

// What other code says, as JSON: the objects of A2A 1.0.1 in ProtoJSON. Each error says what would be right.

const MAX_ID_LENGTH = 256;

export const mustBe = (what: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? `is required and must be ${what}` : `must be ${what}`;

export const text = () => z.string({ error: mustBe('a string') });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object that is kept as it is. */
export const struct = () => z.custom<JsonObject>(isObject, { error: mustBe('an object') });

export const name = () =>
  text()
    .min(1, { error: 'must not be empty' })
    .max(MAX_ID_LENGTH, { error: `must be a string of at most ${MAX_ID_LENGTH} characters` });

export const bool = () => z.boolean({ error: mustBe('true or false') });

export const list = <Item extends z.ZodType>(item: Item) => z.array(item, { error: mustBe('a list') });

const isBase64 = (value: string) => Buffer.from(value, 'base64').toString('base64') === value;

const base64 = () => text().refine(isBase64, { error: 'must be bytes in base64' });

const CONTENTS = ['text', 'raw', 'url', 'data'] as const;

const partFields = z.object(
  {
    text: text().optional(),
    raw: base64().optional(),
    url: text().optional(),
    data: z.unknown().optional(),
    metadata: struct().optional(),
    filename: text().optional(),
    mediaType: text().optional(),
  },
  { error: mustBe('an object') },
);

/** A part with exactly one content. */
export const part = partFields
  .superRefine((value, context) => {
    const given = contentsOf(value);
    if (given.length === 1) return;
    const found = given.length > 0 ? given.join(' and ') : 'none of them';
    context.addIssue({ code: 'custom', message: `must have exactly one of ${CONTENTS.join(', ')}, and has ${found}` });
  })
  .transform(toPart);

/** A part as the objects of the SDK write it: null is not written there, so what has no content has a null in `data`. */
export const sdkPart = partFields.transform((value) =>
  toPart(contentsOf(value).length > 0 ? value : { ...value, data: null }),
);

type PartFields = z.output<typeof partFields>;

const contentsOf = (value: PartFields) =>
  CONTENTS.filter((content) => value[content] !== undefined || isNull(value, content));

const isNull = (value: PartFields, content: 'text' | 'raw' | 'url' | 'data') =>
  content === 'data' && Object.hasOwn(value, content);

function toPart(value: PartFields): Part {
  const { metadata, filename, mediaType } = value;
  return {
    ...contentOf(value),
    ...(metadata && { metadata }),
    ...(filename && { filename }),
    ...(mediaType && { mediaType }),
  };
}

function contentOf({ text: words, raw, url, data }: PartFields): Part {
  if (words !== undefined) return { text: words };
  if (raw !== undefined) return { raw };
  if (url !== undefined) return { url };
  return { data: data as JsonValue };
}

/** What is wrong with a value, in one sentence: its field and what would be right. */
export function faultIn({ issues }: z.ZodError, root: string): string {
  const [first] = issues;
  const field = first ? formatPath(first.path) : '';
  return `${field || root} ${unknownKeysOf(first) ?? first?.message ?? 'is wrong'}`;
}

const unknownKeysOf = (issue?: z.core.$ZodIssue) =>
  issue?.code === 'unrecognized_keys'
    ? `has a member that is not known: ${issue.keys.slice(0, 5).join(', ')}`
    : undefined;

const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')
    .slice(0, MAX_ID_LENGTH);
