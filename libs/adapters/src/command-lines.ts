import { type AgentOutput, NonRetryableError, type Said } from '@tidemark/agent';
import { z } from 'zod';
import { assertKeepable } from './plain-json';
import { bool, faultIn, list, mustBe, name, part, struct, text } from './shapes';
import { reasonOf } from './thrown';

const words = {
  text: text().optional(),
  parts: list(part).min(1, { error: 'must have at least one part' }).optional(),
  metadata: struct().optional(),
};

const spoken = <Type extends string>(...types: readonly [Type, ...Type[]]) =>
  z.strictObject({ type: z.enum(types), ...words }).superRefine((value, context) => {
    if (value.text === undefined || value.parts === undefined) return;
    context.addIssue({ code: 'custom', path: ['parts'], message: 'must not be given with text' });
  });

const asked = z.strictObject({ type: z.enum(['input-required', 'auth-required']), ...words });

const artifact = z.strictObject({
  type: z.literal('artifact'),
  name: name(),
  artifactId: name().optional(),
  description: text().optional(),
  ...words,
  append: bool().optional(),
  lastChunk: bool().optional(),
});

const token = z.strictObject({ type: z.literal('token'), text: text(), artifact: name().default('answer') });

const checkpoint = z.strictObject({ type: z.literal('checkpoint'), checkpoint: struct() });

const LINES = {
  working: spoken('working'),
  completed: spoken('completed'),
  failed: spoken('failed'),
  rejected: spoken('rejected'),
  'input-required': needsWords(asked),
  'auth-required': needsWords(asked),
  artifact: needsWords(artifact),
  token,
  checkpoint,
};

const TYPES = Object.keys(LINES) as (keyof typeof LINES)[];

const anyLine = z.object(
  { type: z.enum(TYPES as [keyof typeof LINES], { error: mustBe(`one of ${TYPES.join(', ')}`) }) },
  {
    error: mustBe('a JSON object'),
  },
);

function needsWords<Schema extends z.ZodObject<typeof words>>(schema: Schema) {
  return schema.superRefine((value, context) => {
    const { text: said, parts } = value as { text?: string; parts?: unknown };
    if ((said === undefined) !== (parts === undefined)) return;
    const found = said === undefined ? 'neither' : 'both';
    context.addIssue({ code: 'custom', message: `must have exactly one of text and parts, and has ${found}` });
  });
}

/**
 * One line of a program's output.
 * @throws NonRetryableError that names the line and the field: the same program would say it again.
 */
export function parseLine(line: string, at: number): AgentOutput {
  try {
    const value = parsedJson(line);
    assertKeepable(value);
    return toOutput(value);
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new NonRetryableError(`Line ${at} of the program's output is wrong: ${reason}`, { cause });
  }
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error('it is no JSON', { cause });
  }
}

function toOutput(value: unknown): AgentOutput {
  const { type } = parsed(anyLine, value);
  switch (type) {
    case 'artifact':
      return toArtifact(parsed(LINES.artifact, value));
    case 'token': {
      const { text: piece, artifact: of } = parsed(LINES.token, value);
      return { type, artifact: of, text: piece };
    }
    case 'checkpoint':
      return { type, checkpoint: parsed(LINES.checkpoint, value).checkpoint };
    case 'input-required':
    case 'auth-required':
      return { type, said: saidBy(parsed(LINES[type], value)) ?? { parts: [] } };
    default: {
      const said = saidBy(parsed(LINES[type], value));
      return { type, ...(said && { said }) };
    }
  }
}

function toArtifact({ type, append, lastChunk, ...given }: z.output<typeof artifact>): AgentOutput {
  const { name: label, artifactId, description } = given;
  return {
    type,
    produced: {
      name: label,
      ...(artifactId && { artifactId }),
      ...(description !== undefined && { description }),
      ...(saidBy(given) ?? { parts: [] }),
      ...(append && { append }),
      ...(lastChunk && { lastChunk }),
    },
  };
}

type Words = Partial<Pick<Said, 'parts' | 'metadata'>> & { readonly text?: string };

function saidBy({ text: said, parts = said === undefined ? undefined : [{ text: said }], metadata }: Words) {
  return parts && { parts, ...(metadata && { metadata }) };
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(faultIn(result.error, 'it'));
}
