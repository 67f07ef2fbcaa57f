/** One of several fields, as the definitions of the SDK have it. */
type OneOf = { readonly $case: string; readonly value: unknown };

/** Members that hold JSON of the user's. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'data']);

/** A message as the definitions of the SDK have it, as ProtoJSON writes it; enums stay numbers. */
export function toProtoJson(message: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(message).flatMap(([name, member]: [string, unknown]) => {
      if (member === undefined) return [];
      if (OPAQUE.has(name)) return [[name, member]];
      return isOneOf(member) ? [[member.$case, toJson(member.value)]] : [[name, toJson(member)]];
    }),
  );
}

function toJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  return typeof value === 'object' && value !== null ? toProtoJson(value) : value;
}

const isOneOf = (member: unknown): member is OneOf =>
  typeof member === 'object' && member !== null && '$case' in member && 'value' in member;
