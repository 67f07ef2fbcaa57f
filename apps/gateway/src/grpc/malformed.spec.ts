import { Client, credentials, Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { GrpcHealth } from './grpc-health';
import { addReflection } from './grpc-reflection';
import { refuseMalformed } from './malformed';

/** Health and reflection on a server of their own. */

let server: Server;
let client: Client;

beforeAll(async () => {
  server = new Server({ interceptors: [refuseMalformed] });
  const readiness = { failures: () => Promise.resolve({}) } as never;
  const health = new GrpcHealth({ readiness, services: [], shutdown: new AbortController().signal }).toService();
  server.addService(health.definition, health.implementation);
  addReflection(server, [health]);
  const port = await new Promise<number>((bound, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, free) =>
      error ? failed(error) : bound(free),
    ),
  );
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

type Kind = 'unary' | 'streaming' | 'both ways';

/** The first answer, as bytes. @throws ServiceError */
function ask(path: string, kind: Kind, hex: string): Promise<Buffer> {
  const bytes = Buffer.from(hex, 'hex');
  const write = (): Buffer => bytes;
  const read = (answer: Buffer): Buffer => answer;
  return new Promise((resolve, reject) => {
    const settle = (error: ServiceError | null, answer?: Buffer): void =>
      error ? reject(error) : resolve(answer ?? Buffer.alloc(0));
    if (kind === 'unary') return void client.makeUnaryRequest(path, write, read, {}, settle);
    const bidi = kind === 'both ways' && client.makeBidiStreamRequest<object, Buffer>(path, write, read);
    const stream = bidi || client.makeServerStreamRequest(path, write, read, {});
    stream.on('error', reject).once('data', (answer: Buffer) => {
      resolve(answer);
      stream.cancel();
    });
    if (bidi) bidi.end({});
  });
}

const HEALTH = '/grpc.health.v1.Health';

const METHODS: readonly (readonly [string, Kind])[] = [
  [`${HEALTH}/Check`, 'unary'],
  [`${HEALTH}/Watch`, 'streaming'],
  ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'both ways'],
  ['/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo', 'both ways'],
];
const MALFORMED = ['ff'.repeat(20), '0aff', '0f'];

it.each(METHODS.flatMap((method) => MALFORMED.map((hex) => [...method, hex] as const)))(
  '%s (%s) refuses %s as what it cannot read',
  async (path, kind, hex) => {
    const error = await ask(path, kind, hex).then(
      () => undefined,
      (refused: ServiceError) => refused,
    );
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'The request cannot be read as the message of this method',
    });
    const [details] = error?.metadata.get('grpc-status-details-bin') ?? [];
    expect(details?.toString('latin1')).toContain('PARSE_ERROR');
  },
);

it.each([
  [`${HEALTH}/Check`, 'unary', '', '0801'], // SERVING
  [`${HEALTH}/Watch`, 'streaming', '', '0801'],
  ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'both ways', '3a00', HEALTH.slice(1)],
] as const)('%s (%s) answers what it can read', async (...[path, kind, hex, expected]) => {
  const answer = await ask(path, kind, hex);
  expect([answer.toString('hex'), answer.toString('latin1')].join()).toContain(expected);
});
