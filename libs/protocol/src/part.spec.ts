import { ProtocolError } from './errors';
import { parseParams } from './params';
import { part } from './part';

const STORED = { sha256: '0'.repeat(64), sizeBytes: 1, content: 'raw' };
const parse = (value: unknown) => parseParams(part, value);

function violations(value: unknown) {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof ProtocolError) return error.violations;
  }
  return [];
}

describe('part', () => {
  it.each([
    ['text', { text: 'Hello' }],
    ['empty text', { text: '' }],
    ['bytes', { raw: 'aGk=' }],
    ['no bytes', { raw: '' }],
    ['a url', { url: 'https://a.test/x.png' }],
    ['an object', { data: { a: [1, null] } }],
    ['a list', { data: [] }],
    ['a string', { data: '' }],
    ['a number', { data: 0 }],
    ['a boolean', { data: false }],
    ['null', { data: null }],
    ['a file', { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain', metadata: { b: 1 } }],
  ])('keeps %s as it is', (_, value) => {
    expect(parse(value)).toStrictEqual(value);
  });

  it.each([
    ['media_type', { text: 'x', media_type: 'text/html' }, { text: 'x', mediaType: 'text/html' }],
    ['unknown members', { text: 'x', kind: 'text', file: {}, stored: STORED }, { text: 'x' }],
    ['null for what is not set', { text: 'x', url: null, raw: null, filename: null, metadata: null }, { text: 'x' }],
    ['"" for what is not set', { text: 'x', filename: '', mediaType: '' }, { text: 'x' }],
    ['URL-safe base64', { raw: '-_-_' }, { raw: '+/+/' }],
    ['base64 without padding', { raw: 'aGk' }, { raw: 'aGk=' }],
    ['base64 with stray bits at its end', { raw: 'aGl=' }, { raw: 'aGk=' }],
  ])('takes %s', (_, value, expected) => {
    expect(parse(value)).toStrictEqual(expected);
  });

  const EXACTLY_ONE = 'must have exactly one of text, raw, url, data, and has';
  const BASE64 = 'must be bytes in base64, standard or URL-safe';

  it.each([
    ['', {}, `${EXACTLY_ONE} none of them`],
    ['', { stored: STORED }, `${EXACTLY_ONE} none of them`],
    ['', { filename: 'a.txt', mediaType: 'text/plain' }, `${EXACTLY_ONE} none of them`],
    ['', { text: null }, `${EXACTLY_ONE} none of them`],
    ['', { text: 'x', url: 'https://a.test' }, `${EXACTLY_ONE} text and url`],
    ['', { text: 'x', data: null }, `${EXACTLY_ONE} text and data`],
    ['', { text: '', raw: '', url: 'u', data: 1 }, `${EXACTLY_ONE} text and raw and url and data`],
    ['text', { text: 7 }, 'must be a string'],
    ['raw', { raw: 7 }, BASE64],
    ['raw', { raw: 'a' }, BASE64],
    ['raw', { raw: 'aGk=====' }, BASE64],
    ['raw', { raw: 'aG=k' }, BASE64],
    ['raw', { raw: 'aGkx=' }, BASE64],
    ['raw', { raw: 'a Gk' }, BASE64],
    ['raw', { raw: 'data:text/plain;base64,aGk=' }, BASE64],
    ['url', { url: '' }, 'must be a non-empty string'],
    ['url', { url: { href: 'https://a.test' } }, 'must be a string'],
    ['filename', { text: 'x', filename: 7 }, 'must be a string'],
    ['mediaType', { text: 'x', mediaType: ['text/plain'] }, 'must be a string'],
    ['metadata', { text: 'x', metadata: [] }, 'must be an object'],
  ])('refuses at %j: %j', (field, value, description) => {
    expect(violations(value)).toEqual([{ field: field || 'params', description }]);
  });
});
