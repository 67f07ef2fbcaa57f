import type { Part, StoredContent } from '@tidemark/domain';
import { ProtocolError } from './errors';
import { linkIn, noLink, STORED_PART_URI, toWirePart } from './wire-part';

const sha256 = 'a'.repeat(64);
const link = linkIn({ tenant: 'acme', agent: 'echo', taskId: 't-1' }, ({ agent, taskId }, hash) =>
  ['https://a.test', agent, taskId, hash].join('/'),
);
const url = `https://a.test/echo/t-1/${sha256}`;
const stored = (content: StoredContent['content']): StoredContent => ({ sha256, sizeBytes: 9, content });
const mark = (content: string) => ({ [STORED_PART_URI]: { sha256, sizeBytes: 9, content } });

describe('toWirePart', () => {
  const inline: Part[] = [{ text: 'a' }, { raw: 'aGk=', filename: 'a' }, { url: 'u' }, { data: null, metadata: {} }];

  it.each(inline)('writes %j as it is', (part) => {
    expect(toWirePart(part, link)).toBe(part);
  });

  it.each([
    ['raw', 'application/octet-stream'],
    ['text', 'text/plain;charset=utf-8'],
    ['data', 'application/json'],
  ] as const)('writes stored %s as a URL with its natural media type', (content, mediaType) => {
    expect(toWirePart({ stored: stored(content) }, link)).toStrictEqual({ url, mediaType, metadata: mark(content) });
  });

  it('keeps what else is said of the part', () => {
    const about = { mediaType: 'image/png', filename: 'a.png', metadata: { width: 3 } };
    const wire = toWirePart({ stored: stored('raw'), ...about }, link);
    expect(wire).toStrictEqual({ url, ...about, metadata: { width: 3, ...mark('raw') } });
  });

  it('lets nobody else say what is stored', () => {
    const metadata = { [STORED_PART_URI]: { sha256: 'b'.repeat(64) } };
    expect(toWirePart({ stored: stored('raw'), metadata }, link).metadata).toStrictEqual(mark('raw'));
  });

  it('refuses it where there is no task', () => {
    expect(() => toWirePart({ stored: stored('raw') }, noLink)).toThrow(ProtocolError);
  });
});
