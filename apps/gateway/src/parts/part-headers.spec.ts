import type { StoredPart } from '@tidemark/protocol';
import { partHeaders } from './part-headers';

const sha256 = 'a'.repeat(64);
const headersOf = (over: Partial<StoredPart> = {}, content: 'raw' | 'text' | 'data' = 'raw') =>
  partHeaders(sha256, { stored: { sha256, sizeBytes: 1, content }, ...over });

describe('the headers of a part', () => {
  it('let no browser show it as a page of the gateway', () => {
    expect(headersOf({ mediaType: 'text/html' })).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
  });

  it('let caches of its reader alone keep it, by its hash', () => {
    expect(headersOf()).toMatchObject({
      etag: `"${sha256}"`,
      'cache-control': expect.stringContaining('private, immutable') as string,
    });
  });

  it.each([
    ['raw', 'application/octet-stream'],
    ['text', 'text/plain;charset=utf-8'],
    ['data', 'application/json'],
  ] as const)('say of %s without a media type that it is %s', (content, mediaType) => {
    expect(headersOf({}, content)['content-type']).toBe(mediaType);
  });

  it.each(['text/html; charset=utf-8', 'application/vnd.a+json', 'image/svg+xml'])(
    'say %s where it is',
    (mediaType) => {
      expect(headersOf({ mediaType })['content-type']).toBe(mediaType);
    },
  );

  it.each(['text', 'text/', 'text/plain\r\nset-cookie: a=b', 'text/plain; a=\u{1f600}', '任务/x', 'a b/c'])(
    'say nothing of the media type %j',
    (mediaType) => {
      expect(headersOf({ mediaType })['content-type']).toBe('application/octet-stream');
    },
  );

  it('say nothing of a part that is not there any more', () => {
    expect(partHeaders(sha256, undefined)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
  });

  it.each([
    ['a.txt', `filename="a.txt"; filename*=UTF-8''a.txt`],
    ['报告.pdf', `filename="__.pdf"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.pdf`],
    ['a"b\\c%d', `filename="a_b_c_d"; filename*=UTF-8''a%22b%5Cc%25d`],
    [`it's (1)*`, `filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
    ['a\r\nb: c', `filename="a__b: c"; filename*=UTF-8''a%0D%0Ab%3A%20c`],
    ['../../etc/passwd', `filename="../../etc/passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`],
    ['half \ud83d', `filename="half _"; filename*=UTF-8''half%20%EF%BF%BD`],
  ])('give the name %j', (filename, expected) => {
    expect(headersOf({ filename })['content-disposition']).toBe(`attachment; ${expected}`);
  });
});
