import { InvalidParamsError } from '@tidemark/protocol';

/**
 * The value of a parameter of the query that there may be one of.
 * @throws InvalidParamsError where it is given several times, or is written as a list: `name[]`, `name[0]`
 */
export function oneValue(query: unknown, name: string): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined;
  const values = Object.entries(query).filter(([key]) => key === name || key.startsWith(`${name}[`));
  const [[key, value] = [name, undefined]] = values;
  if (values.length <= 1 && key === name && !Array.isArray(value)) return value as string | undefined;
  throw new InvalidParamsError([{ field: name, description: 'must be given once, and under this name' }]);
}
