import type { Part } from '@tidemark/domain';
import { acceptsParts, assertAcceptsParts } from './media-types';
import { toRpcError } from './rpc-error';

const agent = (...defaultInputModes: string[]) => ({
  defaultInputModes,
  skills: [{ inputModes: ['application/pdf'] }, {}],
});

describe('acceptsParts', () => {
  it.each([
    ['text as text/plain', ['text/plain'], { text: 'x' }, true],
    ['text as text/plain', ['application/json'], { text: 'x' }, false],
    ['text of another type', ['text/plain'], { text: 'x', mediaType: 'text/html' }, false],
    ['text of another type', ['text/html'], { text: 'x', mediaType: 'text/html' }, true],
    ['data as application/json', ['application/json'], { data: null }, true],
    ['data as application/json', ['text/plain'], { data: {} }, false],
    ['data of another type', ['application/json'], { data: {}, mediaType: 'application/geo+json' }, false],
    ['a file that says nothing', ['text/plain'], { raw: 'aGk=' }, true],
    ['a url that says nothing', ['text/plain'], { url: 'https://a.test/x' }, true],
    ['a file by its type', ['image/png'], { raw: 'aGk=', mediaType: 'image/png' }, true],
    ['a file by its type', ['image/png'], { raw: 'aGk=', mediaType: 'image/jpeg' }, false],
    ['a url by its type', ['image/png'], { url: 'https://a.test', mediaType: 'image/jpeg' }, false],
    ['a type of a skill', ['text/plain'], { raw: 'aGk=', mediaType: 'application/pdf' }, true],
    ['image/*', ['image/*'], { raw: 'aGk=', mediaType: 'image/jpeg' }, true],
    ['image/*', ['image/*'], { raw: 'aGk=', mediaType: 'imagesque/x' }, false],
    ['*/*', ['*/*'], { raw: 'aGk=', mediaType: 'video/mp4' }, true],
    ['parameters', ['text/plain; charset=utf-8'], { text: 'x', mediaType: 'text/plain;charset=us-ascii' }, true],
    ['any case', ['Text/Plain'], { text: 'x', mediaType: 'TEXT/plain' }, true],
  ] as [string, string[], Part, boolean][])('%s: %j, %j: %p', (_, modes, ...[part, expected]) => {
    expect(acceptsParts(agent(...modes), [part])).toBe(expected);
  });

  it('looks at every part', () => {
    expect(acceptsParts(agent('text/plain'), [{ text: 'x' }, { data: 1 }])).toBe(false);
    expect(acceptsParts(agent('text/plain'), [])).toBe(true);
  });
});

describe('assertAcceptsParts', () => {
  it('says nothing where all is well', () => {
    expect(() => assertAcceptsParts(agent('text/plain'), [{ text: 'x' }])).not.toThrow();
  });

  it('says which part is not accepted and what would be', () => {
    try {
      assertAcceptsParts(agent('text/plain'), [{ text: 'x' }, { raw: 'aGk=', mediaType: 'image/png' }]);
    } catch (error) {
      expect(toRpcError(error)).toMatchObject({
        code: -32005,
        data: [
          { metadata: { mediaType: 'image/png', supportedMediaTypes: 'text/plain, application/pdf' } },
          {
            fieldViolations: [
              { field: 'message.parts[1].mediaType', description: 'must be one of text/plain, application/pdf' },
            ],
          },
        ],
      });
    }
    expect.assertions(1);
  });
});
