import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import {
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  type CallOptions,
  type ChannelOptions,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { StreamResponse } from '@tidemark/protocol';
import { Reflection } from './grpc-reflection';

type Wire = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
export type With = { readonly headers?: Headers; readonly options?: CallOptions };

/** What a call was refused with. */
export type Refusal = {
  readonly code: string;
  readonly message: string;
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Headers;
  readonly fields: readonly string[];
};

/** A client that has its messages from the server's reflection, and writes and reads them as JSON. */
export class GrpcClient {
  private constructor(
    readonly channel: Client,
    private readonly service: DescService,
    private readonly tenant: string | undefined,
  ) {}

  static async open(address: string, tenant?: string, options: ChannelOptions = {}): Promise<GrpcClient> {
    const channel = new Client(address, credentials.createInsecure(), options);
    const registry = await new Reflection(channel).registryOf('lf.a2a.v1.A2AService');
    const service = registry.getService('lf.a2a.v1.A2AService');
    if (!service) throw new Error('the service is not described');
    return new GrpcClient(channel, service, tenant);
  }

  /** The same, for another agent. */
  of(tenant: string | undefined): GrpcClient {
    return new GrpcClient(this.channel, this.service, tenant);
  }

  /** The answer, and the metadata that it came with. */
  async exchange<T>(name: string, params: Wire, { headers = {}, options = {} }: With = {}) {
    const method = this.#method(name);
    return new Promise<{ readonly answer: T; readonly metadata: Metadata }>((answered, refused) => {
      let metadata = new Metadata();
      this.channel
        .makeUnaryRequest(
          this.#path(name),
          (json: Wire) => write(method, json),
          (bytes) => read(method, bytes),
          this.#addressed(params),
          metadataOf(headers),
          options,
          (error, answer) => (error ? refused(error) : answered({ answer: answer as T, metadata })),
        )
        .on('metadata', (initial) => (metadata = initial));
    });
  }

  async ask<T>(name: string, params: Wire, over: With = {}): Promise<T> {
    return (await this.exchange<T>(name, params, over)).answer;
  }

  /** What the call is refused with; an error where it is not refused. */
  async refusal(name: string, params: Wire, over: With = {}): Promise<Refusal> {
    const isStream = this.#method(name).methodKind === 'server_streaming';
    const answer = isStream ? collect(this.events(name, params, over)) : this.ask(name, params, over);
    return refusalOf(answer);
  }

  open(name: string, params: Wire, { headers = {}, options = {} }: With = {}): ClientReadableStream<StreamResponse> {
    const method = this.#method(name);
    return this.channel.makeServerStreamRequest(
      this.#path(name),
      (json: Wire) => write(method, json),
      (bytes) => read(method, bytes) as StreamResponse,
      this.#addressed(params),
      metadataOf(headers),
      options,
    );
  }

  /** @throws ServiceError, unless the caller has left */
  async *events(name: string, params: Wire, over: With = {}): AsyncGenerator<StreamResponse> {
    const stream = this.open(name, params, over);
    stream.on('error', () => undefined);
    try {
      for await (const response of stream) yield response as StreamResponse;
    } finally {
      stream.cancel();
    }
  }

  subscribe(id: string, lastEventId?: string): AsyncGenerator<StreamResponse> {
    const headers: Headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return this.events('SubscribeToTask', { id }, { headers });
  }

  stream(message: Wire, over: With = {}): AsyncGenerator<StreamResponse> {
    return this.events('SendStreamingMessage', { message }, over);
  }

  close(): void {
    this.channel.close();
  }

  #method(name: string): DescMethod {
    const method = this.service.methods.find((known) => known.name === name);
    if (!method) throw new Error(`no ${name}`);
    return method;
  }

  #path(name: string): string {
    return `/${this.service.typeName}/${name}`;
  }

  #addressed(params: Wire): Wire {
    return this.tenant === undefined ? params : { tenant: this.tenant, ...params };
  }
}

const write = ({ input }: DescMethod, json: Wire): Buffer =>
  Buffer.from(toBinary(input, fromJson(input, json as JsonValue)));
const read = ({ output }: DescMethod, bytes: Buffer): unknown => toJson(output, fromBinary(output, bytes));

function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

/** What a call is refused with. */
export const refusalOf = (answer: Promise<unknown>): Promise<Refusal> =>
  answer.then(
    (given) => Promise.reject(new Error(`was answered: ${JSON.stringify(given).slice(0, 200)}`)),
    (error: unknown) => toRefusal(error as ServiceError),
  );

export function toRefusal(error: ServiceError): Refusal {
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const base = { code: status[error.code], message: error.details, fields: [] };
  if (!Buffer.isBuffer(bytes)) return base;
  const { code, message, details } = decodeStatus(bytes);
  if (code !== Number(error.code) || message !== error.details) throw new Error('the details say something else');
  const valueOf = (type: string) =>
    details.find(({ typeUrl }) => typeUrl === `type.googleapis.com/google.rpc.${type}`)?.value;
  const [info, badRequest] = [valueOf('ErrorInfo'), valueOf('BadRequest')];
  return { ...base, ...(info && decodeErrorInfo(info)), fields: badRequest ? fieldsOf(badRequest) : [] };
}

/** Names of the fields of a `google.rpc.BadRequest`. */
function fieldsOf(bytes: Uint8Array): string[] {
  const fields: string[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    reader.tag();
    const violation = new BinaryReader(reader.bytes());
    violation.tag();
    fields.push(violation.string());
  }
  return fields;
}

/** All of a stream, or its first `count` responses, after which the client leaves. */
export async function collect<T>(responses: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const seen: T[] = [];
  for await (const response of responses) {
    seen.push(response);
    if (seen.length >= count) break;
  }
  return seen;
}

/** Where in its task a response stands, as its metadata say. */
export function positionOf(response: StreamResponse | undefined): string {
  const told = Object.values(response ?? {})[0] as { metadata?: Record<string, { position?: string }> } | undefined;
  return told?.metadata?.['urn:tidemark:replay:v1']?.position ?? '';
}

export const versionOf = (response: StreamResponse): number => Number(positionOf(response).split('-')[0]);

export function taskIn([response]: readonly StreamResponse[]) {
  if (!response || !('task' in response)) throw new Error('the stream did not begin with a task');
  return response.task;
}
