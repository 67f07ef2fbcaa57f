import { agentProfile } from '@tidemark/protocol';
import { z } from 'zod';
import { asyncApi } from './asyncapi';
import { answer, enquiry } from './enquiry';
import { EVENT_SCHEMAS } from './events';
import { appendHeaders, appendReply } from './headers';
import { directGet, pull } from './requests';

/** A document that is made of the schemas. */
export type GeneratedDocument = { readonly path: string; readonly content: Readonly<Record<string, unknown>> };

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...EVENT_SCHEMAS,
  profile: agentProfile,
  'append-headers': appendHeaders,
  'append-reply': appendReply,
  'direct-get': directGet,
  pull,
  enquiry,
  answer,
};

/** Everything below docs/reference/executor-protocol; paths are relative to it. */
export const generatedDocuments = (): readonly GeneratedDocument[] => [
  { path: 'asyncapi.yaml', content: asyncApi() },
  ...Object.entries(SCHEMAS).map(([name, schema]) => ({ path: `schemas/${name}.json`, content: toSchema(schema) })),
];

/** What is written is what is valid before a reader has put anything in order. */
const toSchema = (schema: z.ZodType): GeneratedDocument['content'] =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
