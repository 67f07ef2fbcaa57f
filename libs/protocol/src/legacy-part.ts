import type { JsonObject } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { raw } from './part';
import { mustBe, optionalText, protoMessage, struct, text } from './proto-json';

/** A part of a message as 0.3 writes it in JSON-RPC (0.3.0, section 6.5). */
export type LegacyPart =
  | { readonly kind: 'text'; readonly text: string; readonly metadata?: JsonObject }
  | { readonly kind: 'file'; readonly file: LegacyFile; readonly metadata?: JsonObject }
  | { readonly kind: 'data'; readonly data: JsonObject; readonly metadata?: JsonObject };

type Named = { readonly mimeType?: string; readonly name?: string };
export type LegacyFile = Named & ({ readonly bytes: string } | { readonly uri: string });

const uri = () => text().min(1, { error: 'must be a non-empty string' });
const exactlyOne = (names: readonly string[]) => (value: object, context: z.core.$RefinementCtx) => {
  const given = names.filter((name) => Object.hasOwn(value, name));
  if (given.length === 1) return;
  const found = given.length > 0 ? given.join(' and ') : 'none of them';
  context.addIssue({ code: 'custom', message: `must have exactly one of ${names.join(', ')}, and has ${found}` });
};

const file = protoMessage({
  bytes: raw().optional(),
  uri: uri().optional(),
  mimeType: optionalText(),
  name: optionalText(),
})
  .superRefine(exactlyOne(['bytes', 'uri']))
  .transform((value) => defined(value) as LegacyFile);

const KINDS = ['text', 'file', 'data'] as const;

const fields = protoMessage({
  kind: z.enum(KINDS, { error: mustBe(`one of ${KINDS.join(', ')}`) }),
  text: text().optional(),
  file: file.optional(),
  data: struct().optional(),
  metadata: struct().optional(),
});

/** A part in JSON-RPC: `kind` says which member holds its content. */
export const legacyPart = fields
  .superRefine((value, context) => {
    const { kind } = value;
    if (value[kind] !== undefined) return;
    context.addIssue({ code: 'custom', path: [kind], message: `is required in a part of kind ${kind}` });
  })
  .transform(({ kind, metadata, ...contents }) => defined({ kind, [kind]: contents[kind], metadata }) as LegacyPart);

const protoFile = protoMessage({
  fileWithBytes: raw().optional(),
  fileWithUri: uri().optional(),
  mimeType: optionalText(),
  name: optionalText(),
})
  .superRefine(exactlyOne(['fileWithBytes', 'fileWithUri']))
  .transform(
    ({ fileWithBytes: bytes, fileWithUri, ...named }) => defined({ bytes, uri: fileWithUri, ...named }) as LegacyFile,
  );

const protoFields = protoMessage({
  text: text().optional(),
  file: protoFile.optional(),
  data: protoMessage({ data: struct() }).optional(),
  metadata: struct().optional(),
});

/** A part in REST, which is ProtoJSON of the protocol buffers of 0.3; the result is as JSON-RPC writes it. */
export const legacyProtoPart = protoFields
  .superRefine(exactlyOne(KINDS))
  .transform(({ text: words, file: content, data, metadata }): LegacyPart => {
    const rest = metadata ? { metadata } : {};
    if (content) return { kind: 'file', file: content, ...rest };
    return data ? { kind: 'data', data: data.data, ...rest } : { kind: 'text', text: words ?? '', ...rest };
  });
