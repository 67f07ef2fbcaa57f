import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { InvalidParamsError, LIMITS, tooManyValues } from '@tidemark/protocol';
import { isUtf8 } from 'node:buffer';

/** Messages by name: what is in their fields, by number, where that is a message of that name or a `string`. */
export type Layout = Readonly<Record<string, Readonly<Record<number, string>>>>;

/** JSON, as protobuf has it: a part of every layout. */
export const JSON_LAYOUT: Layout = {
  Struct: { 1: 'Entry' },
  Entry: { 1: 'string', 2: 'Value' },
  Value: { 3: 'string', 5: 'Struct', 6: 'ListValue' },
  ListValue: { 1: 'Value' },
};

/** A value takes four fields at most: an entry, its key, its value, and what that is. */
const FIELDS_PER_VALUE = 4;

/** A message on its way: it ends at a byte. */
type Open = { readonly name: string; readonly end: number };

/**
 * Looks at the bytes of a message before they are decoded: very many values would take long, and the decoder puts
 * U+FFFD where text is not UTF-8, and stops at the end of a group that nobody has begun.
 * @throws InvalidParamsError where there surely are more values than a request may hold; Error for what is no message
 */
export function assertReadable(bytes: Uint8Array, name: string, layout: Layout): void {
  const reader = new BinaryReader(bytes);
  const open: Open[] = [{ name, end: bytes.length }];
  for (let left = LIMITS.values * FIELDS_PER_VALUE; left > 0; left--) {
    const inner = innermost(open, reader.pos);
    if (!inner) return;
    const [number, wireType] = reader.tag();
    if (wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    const content = { name: layout[inner.name]?.[number] ?? 'bytes', end: endIn(reader, inner) };
    if (layout[content.name]) open.push(content);
    else passOver(reader, bytes, content);
  }
  throw new InvalidParamsError([tooManyValues('params')]);
}

function endIn(reader: BinaryReader, { name, end: last }: Open): number {
  const end = reader.uint32() + reader.pos;
  if (end > last) throw new Error(`${name} is cut off`);
  return end;
}

function passOver(reader: BinaryReader, bytes: Uint8Array, { name, end }: Open): void {
  if (name === 'string' && !isUtf8(bytes.subarray(reader.pos, end))) throw new Error('text must be in UTF-8');
  reader.pos = end;
}

/** The message that goes on at a byte; those that have come to their end are done with. */
function innermost(open: Open[], at: number): Open | undefined {
  while (open.length > 0 && (open.at(-1)?.end ?? 0) <= at) open.pop();
  return open.at(-1);
}
