import { REQUEST_SCHEMAS, WIRE_SCHEMAS } from '@tidemark/protocol';
import { z } from 'zod';

export type Fields = Readonly<Record<string, unknown>>;

/** A reference to a schema of the document. */
export const schemaOf = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` });

/** Every body, by its name in the protocol. */
export function documentSchemas(): Readonly<Record<string, Fields>> {
  const registry = z.registry<{ id: string }>();
  const { SendMessageRequest } = REQUEST_SCHEMAS;
  for (const [id, schema] of Object.entries({ SendMessageRequest, ...WIRE_SCHEMAS })) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

/** What may be in the query: the members of a request that are in no path. */
export function membersOf(request: RequestName, without: readonly string[]): Readonly<Record<string, unknown>> {
  const { properties = {} } = z.toJSONSchema(REQUEST_SCHEMAS[request], OPTIONS);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !without.includes(name)));
}

export type RequestName = keyof typeof REQUEST_SCHEMAS;

/** Requests are described as clients write them. */
const OPTIONS = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const items = itemsIn(zodSchema);
    if (items) Object.assign(jsonSchema, { items: bare(z.toJSONSchema(items, OPTIONS)) });
  },
} as const satisfies z.core.ToJSONSchemaParams;

/** A list is counted before its items are looked at, so they are the second half of its schema. */
function itemsIn(schema: z.core.$ZodTypes): z.core.$ZodType | undefined {
  if (!(schema instanceof z.ZodPipe) || !(schema.in instanceof z.ZodArray)) return undefined;
  return schema.out instanceof z.ZodArray ? schema.out.element : undefined;
}

function bare(schema: object): Fields {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}
