import { ProtocolError } from '@tidemark/protocol';
import { A2A_TYPE, assertJson, assertPlain, type BodyHeaders, JSON_TYPE, replyTypeFor } from './media-types';

function refusalOf(doing: () => void): ProtocolError {
  try {
    doing();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
  }
  throw new Error('it was not refused');
}

describe('a body', () => {
  it.each<BodyHeaders>([
    { 'content-type': 'application/json' },
    { 'content-type': 'application/a2a+json;charset=UTF-8' },
    { 'content-type': 'application/json; charset="utf-8"; x=y' },
    { 'content-type': 'application/json; charset=us-ascii', 'content-encoding': 'identity' },
    { 'content-type': 'application/json; x-charset=utf-16', 'content-encoding': '' },
  ])('may be %j', (headers) => expect(() => assertJson(headers)).not.toThrow());

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['identity, GZIP', 'GZIP'],
    ['foo', 'foo'],
  ])('may not be in the encoding %s', (coding, contentEncoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    for (const check of [assertJson, assertPlain]) {
      expect(refusalOf(() => check(headers))).toMatchObject({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        message: expect.stringContaining(`encoding ${contentEncoding} is`) as string,
        metadata: { contentEncoding, supportedContentEncodings: 'identity' },
      });
    }
  });

  it.each([
    ['application/json; charset=utf-16', 'utf-16'],
    ['application/json;charset=iso-8859-1', 'iso-8859-1'],
    ['application/a2a+json; charset = "UTF-16LE"', 'UTF-16LE'],
    ['application/json; charset=utf-8; charset=latin1', 'latin1'],
  ])('may not be %s', (type, charset) => {
    for (const check of [assertJson, assertPlain]) {
      expect(refusalOf(() => check({ 'content-type': type }))).toMatchObject({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        message: expect.stringContaining(`charset ${charset} is`) as string,
        metadata: { charset, supportedCharsets: 'utf-8,us-ascii' },
      });
    }
  });
});

describe('the type of a reply', () => {
  it.each([
    [undefined, A2A_TYPE],
    ['*/*', A2A_TYPE],
    ['application/*', A2A_TYPE],
    ['application/a2a+json', A2A_TYPE],
    ['application/a2a+json, application/json', A2A_TYPE],
    ['application/json, text/plain, */*', A2A_TYPE],
    ['application/json', JSON_TYPE],
    ['Application/JSON; charset=utf-8', JSON_TYPE],
    ['application/json, text/event-stream', JSON_TYPE],
    ['application/json, application/a2a+json;q=0', JSON_TYPE],
    ['application/json, application/a2a+json;q=0.5', A2A_TYPE],
    ['text/html', A2A_TYPE],
    ['text/event-stream', A2A_TYPE],
    ['', A2A_TYPE],
  ])('for the Accept %p is %s', (accept, type) => expect(replyTypeFor(accept)).toBe(type));
});
