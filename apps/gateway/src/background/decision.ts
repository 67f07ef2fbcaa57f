import { z } from 'zod';

const BY_LENGTH = 128;
const NOTE_LENGTH = 500;

/** What credentials look like. The log is for ever, and is no place for them. */
const SECRETS = [
  /\b(bearer|basic)\s+[\w+/=.~-]{8,}/i,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/,
  /\b(pass(word|wd|phrase)?|secret|token|api[_-]?key)\s*[:=]\s*\S+/i,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_\w{20,}/,
  /\bsk-[\w-]{16,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];

const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text);
const isNoSecret = (text: string): boolean => !SECRETS.some((secret) => secret.test(text));

const decision = z.strictObject(
  {
    decision: z.enum(['granted', 'denied'], { error: 'must be granted or denied' }),
    by: z
      .string({ error: 'must be the name of who decides' })
      .refine((name) => name !== '' && name.length <= BY_LENGTH && isPlain(name), {
        error: `must be 1 to ${BY_LENGTH} characters without control characters`,
      }),
    note: z
      .string({ error: 'must be a string' })
      .max(NOTE_LENGTH, { error: `must have at most ${NOTE_LENGTH} characters` })
      .refine((note) => !/[^\P{Cc}\n\t]/u.test(note), { error: 'must have no control characters' })
      .refine(isNoSecret, { error: 'must not hold a secret: the log keeps it for ever' })
      .optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has members that are not known: ${issue.keys.join(', ')}`
        : 'must be an object',
  },
);

export type Decision = z.output<typeof decision>;

/** The decision in a request, or the sentence that says what is wrong with it. */
export function parseDecision(text: string): Decision | string {
  const result = decision.safeParse(parseJson(text));
  if (result.success) return result.data;
  return result.error.issues.map(({ path, message }) => `${path.join('.') || 'the request'} ${message}`).join('; ');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
