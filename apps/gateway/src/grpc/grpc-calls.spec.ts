import { A2AService } from '@a2a-js/sdk/server/grpc';
import {
  Client,
  type ClientReadableStream,
  credentials,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { createLogger } from '@tidemark/platform';
import { ProtocolError } from '@tidemark/protocol';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import type { Front } from '../front';
import { OpenStreams } from '../http/open-streams';
import { Refusals } from '../operations/refusals';
import type { Frame, Frames } from '../operations/streams';
import { a2aService } from './a2a-service';

const STALL_MS = 300;
const FRAME_BYTES = 20_000;

type Answer = { readonly result: unknown } | { readonly frames: Frames };

/** What is behind the service here: one answer, and who came for it. */
type Desk = { answer: Answer; readonly streams: OpenStreams; readonly asked: { gone?: AbortSignal } };

let server: Server;
let client: Client;
let port: number;
let desk: Desk;

beforeEach(async () => {
  desk = { answer: { result: {} }, streams: new OpenStreams(), asked: {} };
  server = new Server();
  const { definition, implementation } = a2aService(frontOf(desk));
  server.addService(definition, implementation);
  port = await new Promise<number>((bound, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, free) =>
      error ? failed(error) : bound(free),
    ),
  );
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterEach(() => {
  client.close();
  server.forceShutdown();
});

function frontOf({ streams, asked }: Desk): Front {
  const logger = createLogger('test', 'silent');
  const profile = { id: 'ticker' };
  const front = {
    ...{ streams, logger, refusals: new Refusals(logger), gateway: { stallTimeoutMs: STALL_MS } },
    admission: {
      identify: () => Promise.resolve({}),
      admit: ({ gone }: { gone: AbortSignal }) => ({ call: { extensions: [], gone }, profile }),
    },
    operations: {
      run: (_method: string, { gone }: { gone: AbortSignal }) => {
        asked.gone = gone;
        return Promise.resolve(desk.answer);
      },
    },
  };
  return front as unknown as Front;
}

/** Frames without end, and how many of them have been asked for. */
function endless(): { readonly frames: Frames; readonly seen: { asked: number }; readonly over: Promise<void> } {
  const seen = { asked: 0 };
  let end = (): void => undefined;
  const over = new Promise<void>((done) => (end = done));
  const text = 'x'.repeat(FRAME_BYTES);
  async function* frames(signal: AbortSignal): AsyncIterable<Frame> {
    try {
      while (!signal.aborted) {
        seen.asked += 1;
        await delay(0);
        yield { response: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } } as never };
      }
    } finally {
      end();
    }
  }
  return { frames, seen, over };
}

const subscribe = (options = {}): ClientReadableStream<unknown> => {
  const { path, requestSerialize, responseDeserialize } = A2AService.subscribeToTask;
  return client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { tenant: '', id: 't' }, options);
};

const failureOf = (stream: ClientReadableStream<unknown>): Promise<ServiceError> =>
  new Promise((failed) => stream.on('error', (error) => failed(error as ServiceError)));

const first = (stream: ClientReadableStream<unknown>): Promise<unknown> =>
  new Promise((got) => stream.once('data', got));

describe('a stream', () => {
  it('is no longer followed once its client cancels it', async () => {
    const { frames, over } = endless();
    desk.answer = { frames };
    const stream = subscribe();
    const failure = failureOf(stream);
    await first(stream);
    stream.cancel();
    await over;
    expect((await failure).code).toBe(status.CANCELLED);
  });

  it('is no longer followed once its deadline has passed', async () => {
    const { frames, over } = endless();
    desk.answer = { frames };
    const stream = subscribe({ deadline: Date.now() + 200 });
    const failure = failureOf(stream);
    stream.resume();
    await over;
    expect((await failure).code).toBe(status.DEADLINE_EXCEEDED);
  });

  it('is no longer followed once its connection is lost', async () => {
    const { frames, over } = endless();
    desk.answer = { frames };
    const session = connect(`http://127.0.0.1:${port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': A2AService.subscribeToTask.path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.end(Buffer.alloc(5)); // one empty message
    await once(stream, 'data');
    session.destroy();
    await over;
  });

  it('goes no faster than its client reads, which is cut when it reads nothing', async () => {
    const { frames, seen, over } = endless();
    desk.answer = { frames };
    const stream = subscribe();
    const failure = failureOf(stream);
    await first(stream);
    stream.pause();
    await over;
    const taken = seen.asked;
    stream.resume();
    expect((await failure).code).toBe(status.RESOURCE_EXHAUSTED);
    expect(taken).toBeLessThan(100);
  });

  it('is told to come back when the server stops', async () => {
    const { frames, over } = endless();
    desk.answer = { frames };
    const stream = subscribe();
    const failure = failureOf(stream);
    await first(stream);
    stream.resume();
    await desk.streams.onModuleDestroy();
    await over;
    expect(await failure).toMatchObject({
      code: status.UNAVAILABLE,
      details: expect.stringContaining('subscribe again') as string,
    });
  });

  it('ends with the error that breaks it', async () => {
    desk.answer = {
      frames: async function* () {
        yield { response: { message: { messageId: 'm' } } as never };
        throw new ProtocolError('LOG_UNAVAILABLE');
      },
    };
    const stream = subscribe();
    const failure = failureOf(stream);
    expect(await first(stream)).toMatchObject({ payload: { $case: 'message' } });
    expect((await failure).code).toBe(status.UNAVAILABLE);
  });
});

describe('a call', () => {
  const get = (bytes: Buffer): Promise<unknown> =>
    new Promise((got, failed) => {
      const { path, responseDeserialize } = A2AService.getTask;
      client.makeUnaryRequest(
        path,
        () => bytes,
        responseDeserialize,
        {},
        (error, task) => (error ? failed(error) : got(task)),
      );
    });

  it.each([
    ['a field that is longer than the message', '12ff'],
    ['a tag without a value', '12'],
    ['nothing but ones', 'ff'.repeat(40)],
    ['a group without an end', '0b'],
  ])('with %s is refused', async (_, hex) => {
    await expect(get(Buffer.from(hex, 'hex'))).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('with data that nest without end is refused', async () => {
    let value: Buffer = Buffer.from([0x08, 0x00]); // null
    for (let depth = 0; depth < 20_000; depth++) value = inList(value);
    const { path, responseDeserialize } = A2AService.cancelTask;
    const metadata = framed(0x1a, framed(0x0a, Buffer.concat([Buffer.from([0x0a, 0x01, 0x61]), framed(0x12, value)])));
    const answer = new Promise((got, failed) =>
      client.makeUnaryRequest(
        path,
        () => metadata,
        responseDeserialize,
        {},
        (error) => (error ? failed(error) : got(0)),
      ),
    );
    await expect(answer).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('keeps null where it is data', async () => {
    const parts = [{ data: null }, { data: [null, { a: null }] }];
    desk.answer = { result: { id: 't', artifacts: [{ artifactId: 'a', parts }] } };
    const data = (value: unknown) => ({ content: { $case: 'data', value } });
    expect(await get(Buffer.alloc(0))).toMatchObject({
      artifacts: [{ parts: [data(null), data([null, { a: null }])] }],
    });
  });

  it('is no longer waited for once its client cancels it', async () => {
    let left = (): void => undefined;
    const gone = new Promise<void>((done) => (left = done));
    desk.answer = undefined as never;
    const { path, requestSerialize, responseDeserialize } = A2AService.getTask;
    const waiting = new Promise<Answer>(() => undefined);
    Object.defineProperty(desk, 'answer', { get: () => waiting });
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { tenant: '', id: 't', historyLength: undefined },
      () => undefined,
    );
    while (!desk.asked.gone) await delay(5);
    desk.asked.gone.addEventListener('abort', left);
    call.cancel();
    await gone;
  });
});

const framed = (tag: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([tag]), varint(bytes.length), bytes]);

/** A `Value` that is a list with this one in it. */
const inList = (value: Buffer): Buffer => framed(0x32, framed(0x0a, value));

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
