import { parseSendMessage, REPLAY_EXTENSION_URI } from '@tidemark/protocol';
import type { Scope } from '../callers/caller';
import { identify } from './idempotency';

const scope: Scope = { tenant: 'default', agent: 'echo', principal: 'alice' };

const request = (over: object = {}, metadata?: object) =>
  parseSendMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], ...over }, metadata });

describe('the id of a task', () => {
  it('is a new UUID of version 7 for every call without a key', () => {
    const [first, second] = [identify(scope, request(), undefined), identify(scope, request(), undefined)];
    expect(first.taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.taskId).not.toBe(second.taskId);
    expect(first.fingerprint).toBeUndefined();
  });

  it('is one UUID of version 8 for a key', () => {
    const { taskId } = identify(scope, request(), 'key');
    expect(taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(identify(scope, request(), 'key').taskId).toBe(taskId);
  });

  it.each([
    ['tenant', { tenant: 'other' }],
    ['agent', { agent: 'other' }],
    ['caller', { principal: 'other' }],
  ])('differs for the same key of another %s', (_, other) => {
    const { taskId } = identify(scope, request(), 'key');
    expect(identify({ ...scope, ...other }, request(), 'key').taskId).not.toBe(taskId);
  });
});

describe('the fingerprint of a request', () => {
  const fingerprint = (over: object, metadata?: object) => identify(scope, request(over, metadata), 'key').fingerprint;

  it('is the same however the members are ordered, and whatever the message id', () => {
    const metadata = { a: 1, b: { c: [1], d: 2 } };
    const reordered = { b: { d: 2, c: [1] }, a: 1 };
    expect(fingerprint({ metadata, messageId: 'm' })).toBe(fingerprint({ metadata: reordered, messageId: 'n' }));
  });

  it.each<[string, object, object | undefined]>([
    ['the message', { metadata: {} }, undefined],
    ['a part', { parts: [{ text: 'hi', metadata: {} }] }, undefined],
    ['the request', {}, {}],
  ])('is the same with empty metadata of %s', (_, over, metadata) => {
    expect(fingerprint(over, metadata)).toBe(fingerprint({}));
  });

  it('is the same wherever the key is said', () => {
    const wish = { [REPLAY_EXTENSION_URI]: { idempotencyKey: 'key' } };
    expect(fingerprint({}, wish)).toBe(fingerprint({}));
    expect(fingerprint({}, { ...wish, a: 1 })).toBe(fingerprint({}, { a: 1 }));
  });

  it('tells apart data that are empty', () => {
    const [object, list] = [{ parts: [{ data: {} }] }, { parts: [{ data: [] }] }];
    expect(fingerprint(object)).not.toBe(fingerprint(list));
  });

  it.each([
    ['text', { parts: [{ text: 'ho' }] }],
    ['context', { contextId: 'other' }],
    ['references', { referenceTaskIds: ['t'] }],
    ['metadata', { metadata: { a: 1 } }],
  ])('differs for another %s', (_, over) => {
    expect(fingerprint(over)).not.toBe(fingerprint({}));
  });

  it('differs for other metadata of the request', () => {
    expect(fingerprint({}, { a: 1 })).not.toBe(fingerprint({}, { a: 2 }));
  });
});
