import * as sdk from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { inspect } from 'node:util';
import { descriptorFiles } from './descriptor-files';

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: descriptorFiles().map((file) => fromBinary(FileDescriptorProtoSchema, file)),
  }),
);

const struct = { text: 'x', list: [1, null, { deep: true }] };
const parts = [
  { text: 'hello', metadata: struct },
  { raw: 'AAEC', filename: 'a.bin', mediaType: 'application/octet-stream' },
  { url: 'https://example.com/x', mediaType: 'text/plain' },
  { data: { n: 1.5 } },
];
const message = {
  messageId: 'm',
  contextId: 'c',
  taskId: 't',
  role: 'ROLE_AGENT',
  parts,
  metadata: struct,
  extensions: ['urn:x'],
  referenceTaskIds: ['r'],
};
const status = { state: 'TASK_STATE_AUTH_REQUIRED', message, timestamp: '2026-01-31T12:00:00.123Z' };
const artifact = { artifactId: 'a', name: 'n', description: 'd', parts, metadata: struct, extensions: ['urn:x'] };
const task = { id: 't', contextId: 'c', status, artifacts: [artifact], history: [message], metadata: struct };
const about = { taskId: 't', contextId: 'c', metadata: struct };
const config = {
  tenant: 'x',
  id: 'p',
  taskId: 't',
  url: 'https://example.com/hook',
  token: 'k',
  authentication: { scheme: 'Bearer', credentials: 's' },
};
const scopes = { read: 'may read' };
const tokenUrl = 'https://example.com/token';
const refreshUrl = 'https://example.com/refresh';
const authorizationUrl = 'https://example.com/authorize';
const flows = [
  { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl, scopes, pkceRequired: true } },
  { clientCredentials: { tokenUrl, refreshUrl, scopes } },
  { implicit: { authorizationUrl, refreshUrl, scopes } },
  { password: { tokenUrl, refreshUrl, scopes } },
  { deviceCode: { deviceAuthorizationUrl: 'https://example.com/device', tokenUrl, refreshUrl, scopes } },
];
const schemes = [
  { apiKeySecurityScheme: { description: 'd', location: 'header', name: 'x-api-key' } },
  { httpAuthSecurityScheme: { description: 'd', scheme: 'Bearer', bearerFormat: 'JWT' } },
  { openIdConnectSecurityScheme: { description: 'd', openIdConnectUrl: 'https://example.com' } },
  { mtlsSecurityScheme: { description: 'd' } },
  ...flows.map((flow) => ({
    oauth2SecurityScheme: { description: 'd', flows: flow, oauth2MetadataUrl: 'https://example.com/meta' },
  })),
];
const securityRequirements = [{ schemes: { key: { list: ['read'] } } }];
const card = {
  name: 'n',
  description: 'd',
  supportedInterfaces: [{ url: 'h:1', protocolBinding: 'GRPC', tenant: 't', protocolVersion: '1.0' }],
  provider: { url: 'https://example.com', organization: 'o' },
  version: '1',
  documentationUrl: 'https://example.com/docs',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'urn:x', description: 'd', required: true, params: struct }],
    extendedAgentCard: true,
  },
  securitySchemes: Object.fromEntries(schemes.map((scheme, index) => [`s${index}`, scheme])),
  securityRequirements,
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 's',
      name: 'n',
      description: 'd',
      tags: ['t'],
      examples: ['e'],
      inputModes: ['text/plain'],
      outputModes: ['text/plain'],
      securityRequirements,
    },
  ],
  signatures: [{ protected: 'p', signature: 's', header: struct }],
  iconUrl: 'https://example.com/icon',
};
const send = {
  tenant: 'x',
  message,
  configuration: {
    acceptedOutputModes: ['text/plain'],
    taskPushNotificationConfig: config,
    historyLength: 0,
    returnImmediately: true,
  },
  metadata: struct,
};
const onConfig = { tenant: 'x', taskId: 't', id: 'p' };

type Codec = { readonly fromJSON: (json: unknown) => unknown };

type Row = readonly [name: string, rpc: keyof typeof A2AService, side: 'request' | 'response', json: object];

/** Every message with every field set, and the RPC that has it. */
const ROWS: readonly Row[] = [
  ['SendMessageRequest', 'sendMessage', 'request', send],
  ['SendMessageResponse', 'sendMessage', 'response', { task }],
  ['SendMessageResponse', 'sendMessage', 'response', { message }],
  ['StreamResponse', 'sendStreamingMessage', 'response', { task }],
  ['StreamResponse', 'sendStreamingMessage', 'response', { message }],
  ['StreamResponse', 'subscribeToTask', 'response', { statusUpdate: { ...about, status } }],
  [
    'StreamResponse',
    'subscribeToTask',
    'response',
    { artifactUpdate: { ...about, artifact, append: true, lastChunk: true } },
  ],
  ['GetTaskRequest', 'getTask', 'request', { tenant: 'x', id: 't', historyLength: 0 }],
  ['Task', 'getTask', 'response', task],
  [
    'ListTasksRequest',
    'listTasks',
    'request',
    {
      tenant: 'x',
      contextId: 'c',
      status: 'TASK_STATE_REJECTED',
      pageSize: 0,
      pageToken: 'p',
      historyLength: 3,
      statusTimestampAfter: '2026-01-31T12:00:00.123Z',
      includeArtifacts: false,
    },
  ],
  ['ListTasksResponse', 'listTasks', 'response', { tasks: [task], nextPageToken: 'p', pageSize: 50, totalSize: 70 }],
  ['CancelTaskRequest', 'cancelTask', 'request', { tenant: 'x', id: 't', metadata: struct }],
  ['SubscribeToTaskRequest', 'subscribeToTask', 'request', { tenant: 'x', id: 't' }],
  ['TaskPushNotificationConfig', 'createTaskPushNotificationConfig', 'request', config],
  ['GetTaskPushNotificationConfigRequest', 'getTaskPushNotificationConfig', 'request', onConfig],
  ['DeleteTaskPushNotificationConfigRequest', 'deleteTaskPushNotificationConfig', 'request', onConfig],
  [
    'ListTaskPushNotificationConfigsRequest',
    'listTaskPushNotificationConfigs',
    'request',
    { tenant: 'x', taskId: 't', pageSize: 7, pageToken: 'p' },
  ],
  [
    'ListTaskPushNotificationConfigsResponse',
    'listTaskPushNotificationConfigs',
    'response',
    { configs: [config], nextPageToken: 'p' },
  ],
  ['GetExtendedAgentCardRequest', 'getExtendedAgentCard', 'request', { tenant: 'x' }],
  ['AgentCard', 'getExtendedAgentCard', 'response', card],
];

function descriptorOf(name: string): DescMessage {
  const found = registry.getMessage(`lf.a2a.v1.${name}`);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

describe('the descriptor', () => {
  it.each(ROWS)('of %s reads what %s sends as its %s, and nothing in it is unknown', (...[name, rpc, side, json]) => {
    const codec = (sdk as unknown as Record<string, Codec>)[name]!;
    const { requestSerialize, responseSerialize } = A2AService[rpc];
    const serialize = (side === 'request' ? requestSerialize : responseSerialize) as (value: unknown) => Buffer;
    const read = fromBinary(descriptorOf(name), serialize(codec.fromJSON(json)));
    expect(toJson(descriptorOf(name), read)).toEqual(json);
    expect(inspect(read, { depth: 20 })).not.toContain('$unknown');
  });

  it.each(ROWS)('of %s writes what %s takes as its %s', (...[name, rpc, side, json]) => {
    const codec = (sdk as unknown as Record<string, Codec>)[name]!;
    const { requestDeserialize, responseDeserialize } = A2AService[rpc];
    const deserialize = (side === 'request' ? requestDeserialize : responseDeserialize) as (bytes: Buffer) => unknown;
    const bytes = toBinary(descriptorOf(name), fromJson(descriptorOf(name), json as JsonValue));
    expect(deserialize(Buffer.from(bytes))).toEqual(codec.fromJSON(json));
  });

  it('has every message with every field in one of these rows', () => {
    const set = new Set<string>();
    for (const [name, , , json] of ROWS) collect(descriptorOf(name), json as JsonValue, set);
    const all = [...registry].flatMap((type) =>
      type.kind === 'message' && type.typeName.startsWith('lf.a2a.v1.') && !type.proto.options?.mapEntry
        ? type.fields.map((field) => `${type.name}.${field.jsonName}`)
        : [],
    );
    expect([...set].sort()).toEqual(all.sort());
  });

  it('has the RPCs of the service, with their messages and in their way of answering', () => {
    const service = registry.getService('lf.a2a.v1.A2AService');
    const rpcs = service?.methods.map(({ name, methodKind }) => [`/lf.a2a.v1.A2AService/${name}`, methodKind]);
    const real = Object.values(A2AService).map(({ path, responseStream }) => [
      path,
      responseStream ? 'server_streaming' : 'unary',
    ]);
    expect(rpcs?.sort()).toEqual(real.sort());
  });
});

/** Every field that the JSON of a message sets. */
function collect(descriptor: DescMessage, json: JsonValue, into: Set<string>): void {
  for (const field of descriptor.fields) {
    const value = (json as Record<string, JsonValue | undefined>)[field.jsonName];
    if (value === undefined) continue;
    into.add(`${descriptor.name}.${field.jsonName}`);
    const message = field.message;
    if (!message || message.typeName.startsWith('google.')) continue;
    const inner = field.fieldKind === 'message' ? [value] : Object.values(value as object);
    for (const one of inner) collect(message, one as JsonValue, into);
  }
}
