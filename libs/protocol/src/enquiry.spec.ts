import { parseAgentAnswer, parseEnquiry } from './enquiry';
import { ProtocolError } from './errors';

const question = { messageId: 'm-1', role: 'user', parts: [{ text: 'Hello' }] };
const enquiry = { message: question, contextId: 'c-1', principal: 'alice' };
const said = { messageId: 'm-2', role: 'agent', parts: [{ text: 'Hello to you' }] };

function refusalOf(parse: () => unknown): ProtocolError {
  try {
    parse();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
  }
  throw new Error('was not refused');
}

describe('an enquiry', () => {
  it.each([
    ['the least', enquiry],
    [
      'everything',
      {
        ...enquiry,
        message: { ...question, metadata: { a: 1 }, extensions: ['urn:x'], referenceTaskIds: ['t-1'] },
        requestMetadata: { b: [null] },
        trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        timeoutMs: 60_000,
      },
    ],
  ])('is read as it is: %s', (_, value) => {
    expect(parseEnquiry(value)).toStrictEqual(value);
  });

  it('may have members that are not known here', () => {
    expect(parseEnquiry({ ...enquiry, later: true })).toStrictEqual(enquiry);
  });

  it.each([
    ['params', 'Hello'],
    ['message', { ...enquiry, message: undefined }],
    ['message.role', { ...enquiry, message: said }],
    ['message.parts', { ...enquiry, message: { ...question, parts: [] } }],
    ['message.parts[0]', { ...enquiry, message: { ...question, parts: [{ text: 'a', url: 'b' }] } }],
    ['contextId', { ...enquiry, contextId: '' }],
    ['principal', { ...enquiry, principal: 7 }],
    ['timeoutMs', { ...enquiry, timeoutMs: 0 }],
  ])('is refused by the name of what is wrong: %s', (field, value) => {
    const { code, violations } = refusalOf(() => parseEnquiry(value));
    expect([code, violations[0]?.field]).toEqual(['INVALID_PARAMS', field]);
  });
});

describe('the answer of an agent', () => {
  it.each([
    ['a message', { type: 'message', message: said }],
    ['a message with metadata', { type: 'message', message: { ...said, metadata: { a: 1 } } }],
    ['the wish for a task', { type: 'task' }],
    ['a refusal', { type: 'refused', reason: 'no trains today' }],
    ['a refusal for the moment', { type: 'refused', reason: 'busy', retry: true }],
  ])('is read as it is: %s', (_, value) => {
    expect(parseAgentAnswer(value)).toStrictEqual(value);
  });

  it.each([
    ['answer', null],
    ['answer', []],
    ['type', {}],
    ['type', { type: 'artifact' }],
    ['message', { type: 'message' }],
    ['message.messageId', { type: 'message', message: { ...said, messageId: '' } }],
    ['message.role', { type: 'message', message: question }],
    ['message.parts', { type: 'message', message: { ...said, parts: [] } }],
    ['message.parts[0]', { type: 'message', message: { ...said, parts: [{}] } }],
    ['message.metadata', { type: 'message', message: { ...said, metadata: 'x' } }],
    ['reason', { type: 'refused' }],
    ['message.parts[0].data', { type: 'message', message: { ...said, parts: [{ data: Infinity }] } }],
  ])('is refused by the name of what is wrong: %s', (field, value) => {
    const { code, violations } = refusalOf(() => parseAgentAnswer(value));
    expect([code, violations[0]?.field]).toEqual(['INVALID_AGENT_RESPONSE', field]);
  });
});
