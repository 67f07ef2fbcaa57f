import { create, toBinary } from '@bufbuild/protobuf';
import {
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { CARD_MESSAGES } from './card-messages';
import { toMessage, typeName } from './message-descriptors';
import { REQUEST_MESSAGES, RPCS } from './request-messages';
import { ENUMS, TASK_MESSAGES } from './task-messages';

const PACKAGE = 'lf.a2a.v1';
const names = { package: PACKAGE, enums: new Set(Object.keys(ENUMS)) };

const IMPORTS = [file_google_protobuf_empty, file_google_protobuf_struct, file_google_protobuf_timestamp].map(
  ({ proto }) => proto,
);

/**
 * The protobuf of A2A 1.0 as reflection shows it: one `FileDescriptorProto`, and those of Google that it imports. It is
 * made of our own table of the data model, which a test holds against the messages that are really sent.
 */
export const descriptorFiles = (): Uint8Array[] =>
  [...IMPORTS, a2aFile()].map((file) => toBinary(FileDescriptorProtoSchema, file));

function a2aFile(): FileDescriptorProto {
  const messages = { ...REQUEST_MESSAGES, ...TASK_MESSAGES, ...CARD_MESSAGES };
  return create(FileDescriptorProtoSchema, {
    name: 'a2a.proto',
    package: PACKAGE,
    syntax: 'proto3',
    dependency: IMPORTS.map(({ name }) => name),
    enumType: Object.entries(ENUMS).map(([name, values]) => ({
      name,
      value: values.map((value, number) => ({ name: value, number })),
    })),
    messageType: Object.entries(messages).map(([name, fields]) => toMessage(name, fields, names)),
    service: [{ name: 'A2AService', method: Object.entries(RPCS).map(toRpc) }],
  });
}

const toRpc = ([name, { takes, gives, streams = false }]: [string, (typeof RPCS)[string]]) => ({
  name,
  inputType: typeName(takes, names),
  outputType: typeName(gives, names),
  serverStreaming: streams,
});
