import type { Part } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { converted, optionalText, protoMessage, struct, text } from './proto-json';

const CONTENTS = ['text', 'raw', 'url', 'data'] as const;

/** Bytes in base64, of any of its dialects; the result is in the standard one. */
export const raw = () =>
  converted(toStandardBase64, 'bytes in base64, standard or URL-safe').meta({ contentEncoding: 'base64' });

const url = () => text().min(1, { error: 'must be a non-empty string' });

const fields = protoMessage(
  {
    text: text().optional(),
    raw: raw().optional(),
    url: url().optional(),
    data: z.unknown().optional(),
    metadata: struct().optional(),
    filename: optionalText(),
    mediaType: optionalText(),
  },
  ['data'],
);

/** A part of a message: exactly one content, of which `data` may be null (A2A 1.0.1, section 4.1.6). */
export const part = fields
  .superRefine((value, context) => {
    const given = CONTENTS.filter((name) => Object.hasOwn(value, name));
    if (given.length === 1) return;
    const found = given.length > 0 ? given.join(' and ') : 'none of them';
    context.addIssue({ code: 'custom', message: `must have exactly one of ${CONTENTS.join(', ')}, and has ${found}` });
  })
  .transform(toPart);

function toPart({ metadata, filename, mediaType, ...content }: z.output<typeof fields>): Part {
  return defined({ ...content, metadata, filename, mediaType }) as Part;
}

/** Undefined where the text is no base64 in any of its dialects. */
function toStandardBase64(encoded: string): string | undefined {
  const digits = encoded.replace(/={1,2}$/, '');
  const isPadded = digits.length < encoded.length;
  if (!/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1 || (isPadded && encoded.length % 4 !== 0)) return undefined;
  return Buffer.from(digits, 'base64').toString('base64');
}
