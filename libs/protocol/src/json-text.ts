import { InvalidParamsError, ProtocolError } from './errors';
import { MAX_VALUES, tooManyValues } from './plain-json';

/**
 * What a body says. Its values are counted before it is parsed, since objects of very many keys cost most there; `root`
 * is what an error calls it. Throws PARSE_ERROR for what is not JSON in UTF-8, or InvalidParamsError for more than
 * `MAX_VALUES` values.
 */
export function parseJson(body: Uint8Array, root = 'body'): unknown {
  if (holdsTooMany(body)) throw new InvalidParamsError([tooManyValues(root)]);
  const text = textOf(body, root);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError('PARSE_ERROR');
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(body: Uint8Array, root: string): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new ProtocolError('PARSE_ERROR', { violations: [{ field: root, description: 'must be in UTF-8' }] });
  }
}

const [QUOTE, BACKSLASH, COMMA, ...BLANKS] = Buffer.from('"\\, \t\n\r');
const OPENING: ReadonlySet<number | undefined> = new Set(Buffer.from('[{'));
const CLOSING: ReadonlySet<number | undefined> = new Set(Buffer.from(']}'));
const BLANK: ReadonlySet<number | undefined> = new Set(BLANKS);

/** A value follows each comma, and each bracket that is not closed at once. Of what is no JSON the count means nothing. */
function holdsTooMany(text: Uint8Array): boolean {
  if (text.length <= 2 * MAX_VALUES) return false;
  let count = 1;
  let isOpened = false;
  for (let at = 0; at < text.length && count <= MAX_VALUES; at++) {
    const byte = text[at];
    if (BLANK.has(byte)) continue;
    if (byte === COMMA || (isOpened && !CLOSING.has(byte))) count++;
    isOpened = OPENING.has(byte);
    if (byte === QUOTE) at = endOfString(text, at);
  }
  return count > MAX_VALUES;
}

function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
