import { type TaskEvent } from '@tidemark/domain';
import {
  addMessage,
  answered,
  aRef,
  chunk,
  given,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import { decodeEvent, encodeEvent } from './codec';
import { CorruptEventError } from './errors';

const ref = aRef();
const running = [submit(ref), startTurn(1)];

const every: TaskEvent[] = [
  ...given(...running, report(1, chunk('a', '1')), addMessage(said('b')), requestCancel()).events,
  ...(['input-required', 'auth-required'] as const).flatMap(
    (type) => given(...running, report(1, { type, message: answered('?') })).events,
  ),
  ...(['completed', 'failed', 'rejected'] as const).flatMap((type) => given(...running, report(1, { type })).events),
  ...given(submit(ref), requestCancel()).events,
];

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('the codec', () => {
  it('reads back every kind of event', () => {
    expect(new Set(every.map(({ type }) => type)).size).toBe(11);
    for (const event of every) expect(decodeEvent(encodeEvent(event))).toEqual(event);
  });

  it('reads members that it does not know', () => {
    const event = { ...every[0]!, later: true };
    expect(decodeEvent(bytes(event))).toEqual(event);
  });

  it.each(['{', '', 'null', '[]', '"text"', '{}'])('refuses %j', (text) => {
    expect(() => decodeEvent(new TextEncoder().encode(text))).toThrow(CorruptEventError);
  });

  const required = every.flatMap((event) =>
    Object.keys(event)
      .filter((name) => !['append', 'lastChunk', 'trigger'].includes(name))
      .map((name) => [event.type, name, event] as const),
  );

  it.each(required)('refuses an event of kind %s whose %s is missing or wrong', (_type, name, event) => {
    expect(() => decodeEvent(bytes({ ...event, [name]: undefined }))).toThrow(CorruptEventError);
    expect(() => decodeEvent(bytes({ ...event, [name]: { not: 'this' } }))).toThrow(CorruptEventError);
  });

  it.each([[7], [null], ['t-1'], [['t-1', 7]]])('refuses the references %j', (referenceTaskIds) => {
    const message = { ...said('hello'), referenceTaskIds };
    expect(() => decodeEvent(bytes({ ...every[0], message }))).toThrow(CorruptEventError);
  });

  it.each([[7], [null], ['urn:a'], [['urn:a', 7]]])('refuses the extensions %j', (extensions) => {
    expect(() => decodeEvent(bytes({ ...every[0], extensions }))).toThrow(CorruptEventError);
  });

  const withPart = (part: object) => bytes({ ...every[0], message: { ...said('a'), parts: [part] } });
  const stored = { sha256: 'a'.repeat(64), sizeBytes: 5, content: 'raw' };

  it('reads a part whose content is stored elsewhere', () => {
    expect(decodeEvent(withPart({ stored, filename: 'a' }))).toMatchObject({ message: { parts: [{ stored }] } });
  });

  it.each([
    'a',
    null,
    {},
    { ...stored, sha256: '../etc' },
    { ...stored, sha256: 'A'.repeat(64) },
    { ...stored, sizeBytes: -1 },
    { ...stored, content: 'url' },
  ])('refuses a part whose content is stored at %j', (wrong) => {
    expect(() => decodeEvent(withPart({ stored: wrong }))).toThrow(CorruptEventError);
  });

  it.each(['not a time', '', 5])('refuses the time %j', (at) => {
    expect(() => decodeEvent(bytes({ ...every[0], at }))).toThrow(CorruptEventError);
  });
});
