import type { z } from 'zod';
import { formatField, unsafePart } from './plain-json';
import { type FieldViolation, InvalidParamsError } from './errors';

const MAX_VIOLATIONS = 20;

/**
 * The parameters as the schema reads them; `root` is what they are called as a whole. Throws InvalidParamsError with
 * what is wrong, at most 20 things of it.
 */
export function parseParams<Output>(schema: z.ZodType<Output>, params: unknown, root = 'params'): Output {
  const unsafe = unsafePart(params, root);
  if (unsafe) throw new InvalidParamsError([unsafe]);
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new InvalidParamsError(violationsOf(result.error, root));
}

/** What Zod found, by field; `root` names the value itself. */
export const violationsOf = ({ issues }: z.ZodError, root: string): FieldViolation[] =>
  issues
    .slice(0, MAX_VIOLATIONS)
    .map(({ path, message: description }) => ({ field: formatField(path) || root, description }));
