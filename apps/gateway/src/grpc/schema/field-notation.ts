/**
 * Fields of a message by their names in protobuf, each as `<number> [optional|repeated|map] <type> [in <oneof>]`. A type is a
 * scalar, an enum or message of the same package, or `Struct`, `Value`, `Timestamp`; a map is by strings.
 */
export type Fields = Readonly<Record<string, string>>;
export type Messages = Readonly<Record<string, Fields>>;

/** Values by number, the first of which is 0. */
export type Enums = Readonly<Record<string, readonly string[]>>;

export type Field = {
  readonly name: string;
  readonly number: number;
  readonly kind: 'single' | 'optional' | 'repeated' | 'map';
  readonly type: string;
  readonly oneof?: string;
};

const NOTATION = /^(\d+) (?:(optional|repeated|map) )?(\w+)(?: in (\w+))?$/;

/** @throws Error for what is not in the notation */
export function parseField([name, notation]: readonly [string, string]): Field {
  const [, number, kind = 'single', type, oneof] = NOTATION.exec(notation) ?? [];
  if (number === undefined || type === undefined) throw new Error(`${name}: ${notation} is no field`);
  return { name, number: Number(number), kind: kind as Field['kind'], type, ...(oneof !== undefined && { oneof }) };
}
