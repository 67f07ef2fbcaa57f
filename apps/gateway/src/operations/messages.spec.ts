import { MemoryBlobs } from '@tidemark/blobs';
import { type Message, type Part, TaskError } from '@tidemark/domain';
import { EventTooLargeError, execute, MemoryTaskLog } from '@tidemark/event-log';
import { ProtocolError } from '@tidemark/protocol';
import { addMessage, ALICE, aRef, requestCancel, said, submit } from '@tidemark/testing';
import { Messages } from './messages';

const LIMITS = { inlinePartBytes: 1_000, maxPartBytes: 10_000, maxEventBytes: 20_000 };
const LARGE = 'x'.repeat(2_000);

let log: MemoryTaskLog;
let blobs: MemoryBlobs;
let messages: Messages;

beforeEach(() => {
  log = new MemoryTaskLog();
  blobs = new MemoryBlobs();
  messages = new Messages({ log, blobs, limits: LIMITS });
});

const saying = (parts: readonly Part[], over: Partial<Message> = {}): Message => ({
  ...said('', 'm-1'),
  parts,
  ...over,
});
const add = (message: Message, actor = ALICE) => addMessage(message, { actor }) as Parameters<Messages['append']>[1];

async function refusal(refused: Promise<unknown>): Promise<ProtocolError> {
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  if (error instanceof ProtocolError) return error;
  throw new Error('it was not refused', { cause: error });
}

describe('a message', () => {
  it('is appended as it is where it is small', async () => {
    const ref = aRef();
    const message = saying([{ text: 'hi' }]);
    const { task } = await messages.append(ref, submit(ref, { message }));
    expect(task.history.last).toEqual(message);
    expect(blobs.size).toBe(0);
  });

  it('has the content of its large parts stored before it is appended', async () => {
    const ref = aRef();
    const append = log.append.bind(log);
    log.append = (to, event, expected) => {
      expect(blobs.size).toBe(1);
      return append(to, event, expected);
    };
    const message = saying([{ text: 'see' }, { text: LARGE, filename: 'a.txt' }]);
    const { task } = await messages.append(ref, submit(ref, { message }));
    const stored = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, sizeBytes: 2_000, content: 'text' };
    expect(task.history.last?.parts).toEqual([{ text: 'see' }, { stored, filename: 'a.txt' }]);
  });

  it('that comes again is the same one', async () => {
    const ref = aRef();
    const first = submit(ref, { message: saying([{ text: LARGE }]), fingerprint: 'f' });
    const { task } = await messages.append(ref, first);
    expect((await messages.append(ref, { ...first, id: 'again' })).task).toEqual(task);
    const more = saying([{ text: `${LARGE}!` }], { messageId: 'm-2' });
    const { task: after } = await messages.append(ref, add(more));
    expect((await messages.append(ref, add(more))).task).toEqual(after);
    expect(after.version).toBe(2);
  });

  it('of which nothing is appended stores nothing', async () => {
    const ref = aRef();
    const large = saying([{ text: LARGE }]);
    await expect(messages.append(ref, add(large))).rejects.toThrow(TaskError);
    await execute(log, ref, submit(ref));
    const mallory = { kind: 'principal', id: 'mallory' } as const;
    await expect(messages.append(ref, add(large, mallory))).rejects.toThrow('Task not found');
    await execute(log, ref, requestCancel());
    await expect(messages.append(ref, add(large))).rejects.toThrow('The task is canceled');
    expect(blobs.size).toBe(0);
  });

  it('with a part beyond the limit is refused by the name of the part', async () => {
    const ref = aRef();
    const message = saying([{ text: 'a' }, { text: 'b' }, { raw: Buffer.alloc(10_001).toString('base64') }]);
    const error = await refusal(messages.append(ref, submit(ref, { message })));
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', metadata: { limitBytes: '10000' } });
    expect(error.message).toBe('The payload is too large: message.parts[2] must be at most 10000 bytes');
  });

  const long = 'x'.repeat(30_000);

  it.each([
    ['message.metadata', { message: saying([{ text: 'a' }], { metadata: { long } }) }],
    ['message.parts[1].metadata', { message: saying([{ text: 'a' }, { text: 'a', metadata: { long } }]) }],
    ['message.parts[0].url', { message: saying([{ url: long }]) }],
    ['metadata', { message: saying([{ text: 'a' }]), requestMetadata: { long } }],
  ])('that fits into no event is refused by the name of what is largest: %s', async (field, over) => {
    const ref = aRef();
    log.append = () => Promise.reject(new EventTooLargeError(30_500, 20_000));
    const error = await refusal(messages.append(ref, submit(ref, over)));
    expect(error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      metadata: { limitBytes: '20000' },
      violations: [{ field }],
    });
  });
});
