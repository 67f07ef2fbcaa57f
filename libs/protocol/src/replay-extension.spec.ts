import { ProtocolError } from './errors';
import { LIMITS } from './limits';
import {
  parseCursor,
  parseIdempotencyKey,
  parseReplayWish,
  REPLAY_EXTENSION,
  REPLAY_EXTENSION_URI,
  toReplayMetadata,
} from './replay-extension';

const SEVEN = { version: 7, sequence: 1042 };

function refusal(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return { code: error.code, violations: error.violations };
  }
  return undefined;
}

const NONSENSE = ['x', '7', '7-', '-7', '7-1042-1', ' 7-1042', '07-1042', '7-1042x', '1.5-2', '٧-1042'];
const IMPOSSIBLE = ['8-7', '0-5', '5-0', '1-9007199254740993', '99999999999999999-99999999999999999'];

describe('the declaration', () => {
  it('has a name and says what it is for', () => {
    expect(REPLAY_EXTENSION.uri).toBe('urn:tidemark:replay:v1');
    expect(REPLAY_EXTENSION.description).toContain('lastEventId');
  });
});

describe('parseCursor', () => {
  it.each([
    ['7-1042', SEVEN],
    ['1-1', { version: 1, sequence: 1 }],
    ['0-0', { version: 0, sequence: 0 }],
  ])('reads %s', (text, expected) => {
    expect(parseCursor(text)).toEqual(expected);
  });

  it.each([[undefined], ['']])('reads %j as no cursor', (text) => {
    expect(parseCursor(text)).toBeUndefined();
  });

  it.each([...NONSENSE, ...IMPOSSIBLE])('refuses %j', (text) => {
    const violations = [{ field: 'lastEventId', description: 'must be the id of an event, like 7-1042' }];
    expect(refusal(() => parseCursor(text))).toEqual({ code: 'CURSOR_INVALID', violations });
  });
});

describe('parseReplayWish', () => {
  const wish = (value: unknown) => parseReplayWish({ [REPLAY_EXTENSION_URI]: value as string });

  it.each([[undefined], [{}], [{ 'urn:other': 7 }], [{ [REPLAY_EXTENSION_URI]: null }]])(
    'wants nothing where the metadata is %j',
    (metadata) => {
      expect(parseReplayWish(metadata)).toStrictEqual({});
    },
  );

  it('reads the cursor and the key', () => {
    expect(wish({ lastEventId: '7-1042', idempotencyKey: 'k' })).toStrictEqual({
      lastEventId: SEVEN,
      idempotencyKey: 'k',
    });
    expect(wish({ last_event_id: '7-1042', idempotency_key: 'k' })).toStrictEqual({
      lastEventId: SEVEN,
      idempotencyKey: 'k',
    });
  });

  it.each([[{ lastEventId: '', idempotencyKey: '' }], [{ lastEventId: null, idempotencyKey: null, other: 1 }]])(
    'wants nothing where it is %j',
    (value) => {
      expect(wish(value)).toStrictEqual({});
    },
  );

  it.each([
    ['', 'yes', 'must be an object'],
    ['.lastEventId', { lastEventId: 7 }, 'must be a string'],
    ['.idempotencyKey', { idempotencyKey: 7 }, 'must be a string of at most 256 characters'],
    ['.idempotencyKey', { idempotencyKey: 'x'.repeat(257) }, 'must be a string of at most 256 characters'],
  ])('refuses at %j what is wrong', (member, value, description) => {
    const violations = [{ field: `metadata["urn:tidemark:replay:v1"]${member}`, description }];
    expect(refusal(() => wish(value))).toEqual({ code: 'INVALID_PARAMS', violations });
  });

  it('refuses a cursor that is none', () => {
    expect(refusal(() => wish({ lastEventId: 'x' }))).toMatchObject({ code: 'CURSOR_INVALID' });
  });
});

describe('parseIdempotencyKey', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['k', 'k'],
    ['x'.repeat(LIMITS.idempotencyKeyLength), 'x'.repeat(LIMITS.idempotencyKeyLength)],
  ])('reads %j', (header, expected) => {
    expect(parseIdempotencyKey(header)).toBe(expected);
  });

  it('refuses one that is too long', () => {
    const violations = [{ field: 'Idempotency-Key', description: 'must be a string of at most 256 characters' }];
    expect(refusal(() => parseIdempotencyKey('x'.repeat(257)))).toEqual({ code: 'INVALID_PARAMS', violations });
  });
});

describe('toReplayMetadata', () => {
  it('names the position and the event', () => {
    expect(toReplayMetadata({ position: SEVEN, event: 'artifact' })).toStrictEqual({
      [REPLAY_EXTENSION_URI]: { position: '7-1042', event: 'artifact' },
    });
  });

  it('names no event where a frame is a snapshot', () => {
    expect(toReplayMetadata({ position: SEVEN })).toStrictEqual({ [REPLAY_EXTENSION_URI]: { position: '7-1042' } });
  });

  it('says after which cursor events are missing', () => {
    expect(toReplayMetadata({ position: SEVEN, gapAfter: { version: 2, sequence: 9 } })).toStrictEqual({
      [REPLAY_EXTENSION_URI]: { position: '7-1042', gap: { after: '2-9' } },
    });
  });
});
