import { SendMessageRequest } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { InvalidParamsError } from '@tidemark/protocol';
import { LEGACY_LAYOUT } from '../legacy/grpc-layout';
import { A2A_METHODS } from './a2a-methods';
import { assertReadable } from './readable';

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, n]));
const many = (count: number) => Array.from({ length: count }, () => '');
const message = (over: object) => ({ messageId: 'm', role: 'ROLE_USER', parts: [], ...over });

const encoded = (request: object): Buffer =>
  A2AService.sendMessage.requestSerialize(SendMessageRequest.fromJSON(request));

const LEGACY = {
  ...{ messageId: 'm', contextId: '', taskId: '', role: 1, content: [], metadata: undefined, extensions: [] },
};

const legacy = (over: object): Buffer =>
  LegacyA2AService.sendMessage.requestSerialize({
    request: { ...LEGACY, ...over },
    configuration: undefined,
    metadata: undefined,
  });

const lookalike = Buffer.from('0a00'.repeat(1_000_000), 'hex');

describe('a request over gRPC', () => {
  it.each([
    ['metadata of many keys', { metadata: keys(60_000) }],
    ['metadata of its message', { message: message({ metadata: keys(60_000) }) }],
    ['a list in a list', { message: message({ parts: [{ data: [many(210_000)] }] }) }],
    ['an object in an object', { message: message({ parts: [{ data: { inner: keys(60_000) } }] }) }],
    ['names of extensions', { message: message({ extensions: many(210_000) }) }],
    ['parts', { message: message({ parts: many(210_000).map((text) => ({ text })) }) }],
  ])('that surely holds too many values in %s is refused before it is decoded', (_, request) => {
    const refused = () => A2A_METHODS.sendMessage.read(encoded(request));
    expect(refused).toThrow(InvalidParamsError);
    expect(refused).toThrow('params must hold at most 50000 values');
  });

  it.each([
    ['as many values as it may hold', { metadata: keys(49_000) }],
    ['bytes that look like fields', { message: message({ parts: [{ raw: lookalike.toString('base64') }] }) }],
    ['a long text', { message: message({ parts: [{ text: '\n\0'.repeat(1_000_000) }] }) }],
  ])('with %s is read', (_, request) => {
    expect(A2A_METHODS.sendMessage.read(encoded(request))).toMatchObject({});
  });

  it('of 0.3 is counted in its own messages', () => {
    const assertFew = (bytes: Buffer) => () => assertReadable(bytes, 'SendMessageRequest', LEGACY_LAYOUT);
    const part = (data: object) => ({ content: [{ part: { $case: 'data', value: { data } } }] });
    const file = { $case: 'file', value: { file: { $case: 'fileWithBytes', value: lookalike }, mimeType: '' } };
    expect(assertFew(legacy(part(keys(60_000))))).toThrow(InvalidParamsError);
    expect(assertFew(legacy({ metadata: keys(60_000) }))).toThrow(InvalidParamsError);
    expect(assertFew(legacy({ extensions: many(210_000) }))).toThrow(InvalidParamsError);
    expect(assertFew(legacy(part(keys(49_000))))).not.toThrow();
    expect(assertFew(legacy({ content: [{ part: file }] }))).not.toThrow();
  });

  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

  it.each([
    ['a text that is not in UTF-8', '12 07 2a 05 0a 03 61 ff c3'],
    ['half of a pair of surrogates', '12 07 2a 05 0a 03 ed a0 80'],
    ['a key that is not in UTF-8', '22 07 0a 05 0a 01 ff 12 00'],
    ['an id that is not in UTF-8', '12 03 0a 01 ff'],
    ['the end of a group that was not begun', '0c'],
    ['a field without a number', '02 00'],
    ['a field that is longer than its message', '12 03 0a 05 61 61 61 61 61'],
    ['a field that is longer than all', '0a 7f 61'],
  ])('with %s is not read', (_, text) => {
    const { read } = A2A_METHODS.sendMessage;
    expect(() => read(hex(text))).toThrow(expect.not.objectContaining({ code: 'INVALID_PARAMS' }) as Error);
  });

  it('with fields that nobody knows is read', () => {
    expect(A2A_METHODS.getTask.read(hex('12 01 74 7a 02 ff fe 78 01'))).toEqual({ id: 't' });
  });

  it('of 0.3 with text that is not in UTF-8 is not read', () => {
    const readable = (text: string) => () => assertReadable(hex(text), 'SendMessageRequest', LEGACY_LAYOUT);
    expect(readable('0a 07 2a 05 0a 03 61 ff c3')).toThrow('text must be in UTF-8');
    expect(readable('0a 07 2a 05 0a 03 e2 82 ac')).not.toThrow();
  });

  it('that is no message is refused as such', () => {
    const malformed = Buffer.alloc(100_000, 0xff);
    expect(() => A2A_METHODS.sendMessage.read(malformed)).toThrow(
      expect.not.objectContaining({ code: 'INVALID_PARAMS' }) as Error,
    );
  });
});
