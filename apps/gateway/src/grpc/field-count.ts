import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { InvalidParamsError, LIMITS, tooManyValues } from '@tidemark/protocol';

/** Messages by name: the fields of each, by number, that are messages, and which. Whatever else is in them has no fields. */
export type Nesting = Readonly<Record<string, Readonly<Record<number, string>>>>;

/** JSON, as protobuf has it. */
const GOOGLE: Nesting = {
  Struct: { 1: 'Entry' },
  Entry: { 2: 'Value' },
  Value: { 5: 'Struct', 6: 'ListValue' },
  ListValue: { 1: 'Value' },
};

/** A value takes four fields at most: an entry, its key, its value, and what that is. */
const FIELDS_PER_VALUE = 4;

/** A message on its way: it ends at a byte. */
type Open = { readonly name: string; readonly end: number };

/**
 * Refuses what surely holds more values than a request may, before it is decoded: that takes long where there are very
 * many of them. @throws InvalidParamsError; Error for what is no message
 */
export function assertFewFields(bytes: Uint8Array, name: string, nesting: Nesting): void {
  if (bytes.length <= LIMITS.values) return;
  const messages: Nesting = { ...GOOGLE, ...nesting };
  const reader = new BinaryReader(bytes);
  const open: Open[] = [{ name, end: bytes.length }];
  for (let left = LIMITS.values * FIELDS_PER_VALUE; ; left--) {
    const inner = innermost(open, reader.pos);
    if (!inner) return;
    if (left === 0) throw new InvalidParamsError([tooManyValues('params')]);
    const [number, wireType] = reader.tag();
    const nested = wireType === WireType.LengthDelimited ? messages[inner.name]?.[number] : undefined;
    if (nested === undefined) reader.skip(wireType, number);
    else open.push({ name: nested, end: reader.uint32() + reader.pos });
  }
}

/** The message that goes on at a byte; those that have come to their end are done with. */
function innermost(open: Open[], at: number): Open | undefined {
  while (open.length > 0 && (open.at(-1)?.end ?? 0) <= at) open.pop();
  return open.at(-1);
}
