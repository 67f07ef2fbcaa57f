import type { JsonObject } from '@tidemark/domain';
import { z } from 'zod';
import { LIMITS } from './limits';
import { isObject } from './plain-json';
import { toIsoMilliseconds } from './timestamp';

// The kinds of values in a request, as ProtoJSON writes them (A2A 1.0.1, section 5.5). Each says in its error what
// would be right. What JSON Schema cannot see for itself of one is its metadata.

/** The error of a value that is not what it must be, or is not there at all. */
export const mustBe = (what: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? `is required and must be ${what}` : `must be ${what}`;

/**
 * An object with these members: by their names or their names in snake_case, null for "not set", others ignored.
 * Members in `nullable` may hold null as a value.
 */
export function protoMessage<Shape extends z.ZodRawShape>(shape: Shape, nullable: readonly string[] = []) {
  const fields = Object.keys(shape).map((name) => ({ name, snake: inSnakeCase(name) }));
  const object = z.object(shape, { error: mustBe('an object') });
  return z.preprocess((value, context) => {
    if (!isObject(value)) return value;
    const members = fields.map((field) => [field.name, memberOf(value, field, context)] as const);
    return Object.fromEntries(members.filter(([name, member]) => isSet(member, nullable.includes(name))));
  }, object);
}

const isSet = (member: unknown, mayBeNull: boolean) => member !== undefined && (member !== null || mayBeNull);

const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Field = { readonly name: string; readonly snake: string };

function memberOf(value: Readonly<Record<string, unknown>>, { name, snake }: Field, context: z.core.$RefinementCtx) {
  const member = ownMember(value, name);
  if (snake === name) return member;
  const other = ownMember(value, snake);
  if (isSet(member, false) && isSet(other, false)) {
    context.addIssue({ code: 'custom', path: [name], message: `must not be given as ${snake} too` });
  }
  return member ?? other;
}

const ownMember = (value: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(value, name) ? value[name] : undefined;

export const text = () => z.string({ error: mustBe('a string') });

/** A string for which "" means "not set". */
export const optionalText = () =>
  text()
    .max(LIMITS.tokenLength, { error: mustBe(`a string of at most ${LIMITS.tokenLength} characters`) })
    .transform((value) => value || undefined)
    .optional();

const ID = `a non-empty string of at most ${LIMITS.idLength} characters without control characters`;
const isId = (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= LIMITS.idLength && !/[\p{Cc}\p{Cs}]/u.test(value);

export const id = () =>
  z.custom<string>(isId, { error: mustBe(ID) }).meta({ type: 'string', minLength: 1, maxLength: LIMITS.idLength });

/** An id for which "" means "not set". */
export const optionalId = () => z.preprocess((value) => (value === '' ? undefined : value), id().optional()).optional();

const MAX_INT32 = 2 ** 31 - 1;

/** Whole numbers, also written as a string. */
export const int32 = (min: number, max = MAX_INT32) => {
  const what = `a whole number from ${min} to ${max}`;
  const isInRange = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  const toNumber = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value);
  const number = z.custom<number>(isInRange, { error: mustBe(what) });
  return z.preprocess(toNumber, number.meta({ type: 'integer', minimum: min, maximum: max }));
};

export const bool = () => z.boolean({ error: mustBe('true or false') });

/** A value of an enum, by its name or number; the result is the name. */
export function enumeration<Name extends string>(numbers: Readonly<Record<Name, number>>) {
  const names = Object.keys(numbers) as Name[];
  const toName = (value: unknown) => names.find((name) => numbers[name] === value) ?? value;
  return z.preprocess(toName, z.enum(names as [Name, ...Name[]], { error: mustBe(oneOf(names)) }));
}

const oneOf = (names: readonly string[]) => (names.length > 1 ? `one of ${names.join(', ')}` : names.join());

/** A string that `convert` can read; the result is what it makes of it. */
export const converted = (convert: (value: string) => string | undefined, what: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (convert(value) ?? null) : value),
    z.string({ error: mustBe(what) }),
  );

/** A point in time; the result is in UTC with milliseconds, rounded up. */
export const timestamp = () =>
  converted(toIsoMilliseconds, 'a time like 2026-01-31T12:00:00.000Z, with Z or an offset').meta({
    format: 'date-time',
  });

/** A JSON object that is kept as it is. */
export const struct = () => z.custom<JsonObject>(isObject, { error: mustBe('an object') }).meta({ type: 'object' });

/** A list of at most `max` items, which are not looked at before there are few enough. */
export const list = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(z.unknown(), { error: mustBe('a list') })
    .max(max, { error: `must have at most ${max} items` })
    .pipe(z.array(item));
