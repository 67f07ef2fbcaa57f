import type { Part } from '@tidemark/domain';
import { createHash } from 'node:crypto';
import { PartTooLargeError } from './errors';
import { moveOut, type PartLimits } from './move-out';

const LIMITS: PartLimits = { inlinePartBytes: 1_000, maxPartBytes: 10_000, maxEventBytes: 100_000 };
const ROOM = 100_000;
const move = (parts: readonly Part[], room = ROOM) => moveOut(parts, LIMITS, room);
const sizeOf = (parts: readonly Part[]) => Buffer.byteLength(JSON.stringify(parts));
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('moveOut', () => {
  const words = 'é'.repeat(1_000);
  const bytes = Buffer.alloc(2_000, 7);
  const facts = { list: Array.from({ length: 500 }, (_, i) => i) };
  const json = JSON.stringify(facts);

  it.each([
    ['text', { text: words }, Buffer.from(words)],
    ['raw', { raw: bytes.toString('base64') }, bytes],
    ['data', { data: facts }, Buffer.from(json)],
  ] as const)('moves large %s, and tells what it was', (content, part, expected) => {
    const about = { mediaType: 'x/y', filename: 'f', metadata: { a: 1 } };
    const { parts, contents, partsBytes } = move([{ ...part, ...about }]);
    expect(parts).toEqual([{ stored: { sha256: sha256(expected), sizeBytes: expected.length, content }, ...about }]);
    expect(contents.map((found) => Buffer.from(found).equals(expected))).toEqual([true]);
    expect(partsBytes).toBe(sizeOf(parts));
  });

  it('leaves alone what is small, what is elsewhere, and what would not get smaller', () => {
    const parts: Part[] = [
      { text: 'a' },
      { url: `https://example.org/${'x'.repeat(2_000)}` },
      { stored: { sha256: '0'.repeat(64), sizeBytes: 5_000, content: 'raw' } },
      { text: 'a', metadata: { long: 'x'.repeat(2_000) } },
    ];
    expect(move(parts)).toEqual({ parts, contents: [], partsBytes: sizeOf(parts) });
    expect(move([])).toEqual({ parts: [], contents: [], partsBytes: sizeOf([]) });
  });

  it('moves small ones too where they do not fit together, the largest first and no more than needed', () => {
    const parts = [300, 900, 600, 500].map((length) => ({ text: 'x'.repeat(length) }));
    const { parts: moved, partsBytes } = move(parts, 1_300);
    expect(moved.map((part) => 'stored' in part)).toEqual([false, true, true, false]);
    expect(partsBytes).toBe(sizeOf(moved));
  });

  it.each([
    ['text', { text: 'é'.repeat(5_001) }, 10_002],
    ['raw', { raw: Buffer.alloc(10_001).toString('base64') }, 10_001],
    ['data', { data: 'x'.repeat(9_999) }, 10_001],
  ])('refuses %s beyond the limit by its place', (_, part, sizeBytes) => {
    const refusal = new PartTooLargeError(1, sizeBytes, 10_000);
    expect(() => move([{ text: 'fine' }, part])).toThrow(refusal);
    expect(refusal.message).toBe(`Part 2 has ${sizeBytes} bytes, the limit is 10000`);
  });
});
