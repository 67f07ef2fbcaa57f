import { NOT_UTF8 } from '@tidemark/platform';
import { InvalidParamsError } from '@tidemark/protocol';

/**
 * The value of a parameter of the query that there may be one of.
 * @throws InvalidParamsError where it is given several times, is written as a list (`name[]`, `name[0]`), or is no UTF-8
 */
export function oneValue(query: unknown, name: string): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined;
  const values = Object.entries(query).filter(([key]) => key === name || key.startsWith(`${name}[`));
  const [[key, value] = [name, undefined]] = values;
  if (values.length > 1 || key !== name || Array.isArray(value)) throw refusalOf(name, ONCE);
  if (value === NOT_UTF8) throw refusalOf(name, ESCAPED);
  return value as string | undefined;
}

const ONCE = 'must be given once, and under this name';
const ESCAPED = 'must be percent-encoded UTF-8';

const refusalOf = (field: string, description: string): InvalidParamsError =>
  new InvalidParamsError([{ field, description }]);
