import * as a2a from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Client, credentials, Metadata, type MethodDefinition, type ServiceError, status } from '@grpc/grpc-js';
import type { Wire } from '../client';
import { type Binding, headersOf, type Operation, type Outcome, type Request } from './binding';

type Codec = {
  readonly request: { fromJSON(json: never): unknown };
  readonly response: { toJSON(message: never): unknown };
};

const CODECS: Readonly<Record<Operation, Codec>> = {
  SendMessage: { request: a2a.SendMessageRequest, response: a2a.SendMessageResponse },
  SendStreamingMessage: { request: a2a.SendMessageRequest, response: a2a.StreamResponse },
  GetTask: { request: a2a.GetTaskRequest, response: a2a.Task },
  ListTasks: { request: a2a.ListTasksRequest, response: a2a.ListTasksResponse },
  CancelTask: { request: a2a.CancelTaskRequest, response: a2a.Task },
  SubscribeToTask: { request: a2a.SubscribeToTaskRequest, response: a2a.StreamResponse },
  CreateTaskPushNotificationConfig: {
    request: a2a.TaskPushNotificationConfig,
    response: a2a.TaskPushNotificationConfig,
  },
  GetTaskPushNotificationConfig: {
    request: a2a.GetTaskPushNotificationConfigRequest,
    response: a2a.TaskPushNotificationConfig,
  },
  ListTaskPushNotificationConfigs: {
    request: a2a.ListTaskPushNotificationConfigsRequest,
    response: a2a.ListTaskPushNotificationConfigsResponse,
  },
  DeleteTaskPushNotificationConfig: {
    request: a2a.DeleteTaskPushNotificationConfigRequest,
    response: { toJSON: () => ({}) },
  },
  GetExtendedAgentCard: { request: a2a.GetExtendedAgentCardRequest, response: a2a.AgentCard },
};

/** gRPC (A2A 1.0.1, section 10). */
export function grpc(address: string): Binding {
  const client = new Client(address, credentials.createInsecure());
  return {
    name: 'gRPC',
    unauthenticated: status.UNAUTHENTICATED,
    call: async (request): Promise<Outcome> => {
      try {
        const message = (await answered(client, request)) as never;
        return { answer: CODECS[request.operation].response.toJSON(message) as Wire };
      } catch (error) {
        return { refusal: refusalOf(error as ServiceError) };
      }
    },
    close: () => client.close(),
  };
}

function answered(client: Client, request: Request): Promise<unknown> {
  const key = request.operation.charAt(0).toLowerCase() + request.operation.slice(1);
  const method = A2AService[key as keyof typeof A2AService] as MethodDefinition<unknown, unknown>;
  const { path, requestSerialize, responseDeserialize } = method;
  const message = CODECS[request.operation].request.fromJSON(request.params as never);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headersOf(request))) metadata.set(name, value);
  return new Promise((resolve, reject) => {
    if (!method.responseStream) {
      const done = (error: ServiceError | null, reply: unknown): void => (error ? reject(error) : resolve(reply));
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, done);
      return;
    }
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, message, metadata);
    stream.on('error', reject); // also that it was canceled, when the promise is settled
    stream.once('data', (first: unknown) => {
      resolve(first);
      stream.cancel();
    });
  });
}

function refusalOf({ code, details, metadata }: ServiceError) {
  const [packed] = metadata.get('grpc-status-details-bin');
  const infos = Buffer.isBuffer(packed) ? packedIn(packed, 3).map((any) => packedIn(any, 2)[0]) : [];
  const strings = infos.map((info) => info && packedIn(info, 1)[0]?.toString());
  const said = { details, packed: Buffer.isBuffer(packed) ? packed.toString('latin1') : undefined };
  return { status: code, reason: strings[0], said };
}

/** The fields of a protobuf message that have this number and a length. */
function packedIn(message: Uint8Array, wanted: number): Buffer[] {
  const reader = new BinaryReader(message);
  const found: Buffer[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === wanted) found.push(Buffer.from(reader.bytes()));
    else reader.skip(type, number);
  }
  return found;
}
