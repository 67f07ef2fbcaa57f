import { z } from 'zod';

/** Members may be added to all that is stored, so every object may have more of them than are named here. */
const json = z.json().meta({ id: 'Json', description: 'Any JSON value' });
export const jsonObject = z.record(z.string(), json).meta({ id: 'JsonObject', description: 'A JSON object' });

export const text = (description: string) => z.string().describe(description);
export const token = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .describe(`${description}; one token of a subject`);
export const count = (description: string) => z.int().min(0).describe(description);
export const time = (description: string) => z.iso.datetime().describe(`${description}: ISO 8601, UTC`);
const texts = (description: string) => z.array(z.string()).describe(description);

const described = {
  metadata: jsonObject.optional().describe('What its maker wants to add'),
  filename: z.string().optional().describe('Name of the file that the content is of'),
  mediaType: z.string().optional().describe('Media type of the content, such as text/plain'),
};

const content = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject({ ...shape, ...described });

const stored = z
  .looseObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Hash of its bytes'),
    sizeBytes: count('How many bytes it has'),
    content: z.enum(['raw', 'text', 'data']).describe('What it was'),
  })
  .meta({ id: 'StoredContent', description: 'Where a large content is kept: hand it on as it is' });

/** Exactly one content. `stored` is one that was too large for an event. */
export const part = z
  .xor([
    content({ text: text('Plain text') }),
    content({ raw: z.base64().describe('Bytes, in base64') }),
    content({ url: text('Where the content is') }),
    content({ data: json.describe('Structured content: any JSON value') }),
    content({ stored }),
  ])
  .meta({ id: 'Part', description: 'A piece of a message or an artifact: it has exactly one content' });

const parts = z.array(part).describe('What it consists of, in order');
const extensions = texts('URIs of the extensions that had a part in it').optional();

const message = <Role extends string>(id: string, role: z.ZodType<Role>) =>
  z
    .looseObject({
      messageId: text('Made by whoever says it'),
      role: role.describe('Who says it'),
      parts,
      metadata: jsonObject.optional().describe('What its sender wants to add'),
      extensions,
      referenceTaskIds: texts('Other tasks that it refers to').optional(),
    })
    .meta({ id, description: 'One thing that was said' });

export const userMessage = message('UserMessage', z.literal('user'));
export const agentMessage = message('AgentMessage', z.literal('agent'));

export const artifact = z
  .looseObject({
    artifactId: text('Unique within the task'),
    name: z.string().optional().describe('For people'),
    description: z.string().optional().describe('For people'),
    parts,
    metadata: jsonObject.optional().describe('Of an artifact that is appended to: merged member by member'),
    extensions,
  })
  .meta({ id: 'Artifact', description: 'A result, or a chunk of one' });
