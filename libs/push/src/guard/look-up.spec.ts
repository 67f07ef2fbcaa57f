import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { publicNames, systemNames } from './look-up';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;
/** Name and type of what is asked come after the head. */
const HEAD_BYTES = 12;

const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) await new Promise<void>((closed) => socket.close(closed));
});

type Answer = readonly number[] | 'silence' | 'unknown';

/** A server of names that has one answer for each type. */
async function dns(answers: Readonly<Record<number, Answer>>): Promise<{ servers: string[]; asked: () => number }> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    asked++;
    const reply = replyTo(query, answers[query.readUInt16BE(query.indexOf(0, HEAD_BYTES) + 1)] ?? 'unknown');
    if (reply) socket.send(reply, port, address);
  });
  opened.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { servers: [`127.0.0.1:${socket.address().port}`], asked: () => asked };
}

function replyTo(query: Buffer, answer: Answer): Buffer | undefined {
  if (answer === 'silence') return undefined;
  const end = query.indexOf(0, HEAD_BYTES) + 5;
  const question = Buffer.from(query.subarray(0, end));
  question.writeUInt16BE(0x8180 | (answer === 'unknown' ? NXDOMAIN : 0), 2);
  question.writeUInt16BE(answer === 'unknown' ? 0 : 1, 6);
  question.fill(0, 8, HEAD_BYTES);
  if (answer === 'unknown') return question;
  const record = Buffer.from([0xc0, HEAD_BYTES, ...query.subarray(end - 4, end), 0, 0, 0, 60, 0, answer.length]);
  return Buffer.concat([question, record, Buffer.from(answer)]);
}

const FOUR = [192, 0, 2, 7];
const SIX = [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 9];
const four = { address: '192.0.2.7', family: 4 };
const six = { address: '2001:db8::9', family: 6 };

describe('the addresses of a public name', () => {
  it.each<[string, Record<number, Answer>, readonly object[]]>([
    ['of both kinds are found', { [A]: FOUR, [AAAA]: SIX }, [four, six]],
    ['of one kind are found where there are no others', { [A]: FOUR }, [four]],
    ['of the other kind, too', { [AAAA]: SIX }, [six]],
    ['are those that come in time', { [A]: FOUR, [AAAA]: 'silence' }, [four]],
  ])('%s', async (_, answers, expected) => {
    const { servers } = await dns(answers);
    expect(await publicNames({ servers, timeoutMs: 300 })('hooks.example.com')).toEqual(expected);
  });

  it('are none where the name is unknown', async () => {
    const { servers } = await dns({});
    await expect(publicNames({ servers })('hooks.example.com')).rejects.toThrow('ENOTFOUND');
  });

  it('are asked for at no cost to others, though nobody answers', async () => {
    const { servers, asked } = await dns({ [A]: 'silence', [AAAA]: 'silence' });
    const lookup = publicNames({ servers, timeoutMs: 2_000 });
    const names = Array.from({ length: 32 }, (_, n) => lookup(`hooks-${n}.example.com`));
    const waiting = Promise.allSettled(names);
    expect(await Promise.race([systemNames('localhost'), waiting.then(() => 'after them')])).not.toBe('after them');
    expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked()).toBeGreaterThanOrEqual(64);
  });
});
