import { A2A_TYPE, JSON_TYPE, replyTypeFor } from './media-types';

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
