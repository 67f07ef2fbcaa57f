import {
  create,
  createFileRegistry,
  type FileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { Client } from '@grpc/grpc-js';
import { once } from 'node:events';

type Version = 'v1' | 'v1alpha';
type Told = {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly string[] };
};

/** Asks a server what it is, and knows nothing of it before. */
export class Reflection {
  constructor(
    private readonly client: Client,
    private readonly version: Version = 'v1',
  ) {}

  async services(): Promise<readonly string[]> {
    const { listServicesResponse } = await this.#ask({ listServices: '*' });
    return (listServicesResponse?.service ?? []).map(({ name }) => name);
  }

  /** The file that has the symbol, and all that it needs. */
  async registryOf(symbol: string): Promise<FileRegistry> {
    const { fileDescriptorResponse } = await this.#ask({ fileContainingSymbol: symbol });
    const files = (fileDescriptorResponse?.fileDescriptorProto ?? []).map((base64) =>
      fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, 'base64')),
    );
    return createFileRegistry(create(FileDescriptorSetSchema, { file: files.reverse() }));
  }

  async #ask(request: Readonly<Record<string, string>>): Promise<Told> {
    const path = `/grpc.reflection.${this.version}.ServerReflection/ServerReflectionInfo`;
    const [asks, tells] = [message('ServerReflectionRequest'), message('ServerReflectionResponse')];
    const call = this.client.makeBidiStreamRequest<Buffer, Buffer>(
      path,
      (bytes) => bytes,
      (bytes) => bytes,
    );
    call.on('error', () => undefined); // `once` says it
    call.write(Buffer.from(toBinary(asks, fromJson(asks, request))));
    const [bytes] = (await once(call, 'data')) as [Buffer];
    call.end();
    return toJson(tells, fromBinary(tells, bytes)) as Told;
  }
}

const named = (name: string, number: number) => {
  const jsonName = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { name, jsonName, number, label: Label.OPTIONAL };
};
const text = (name: string, number: number) => ({ ...named(name, number), type: Type.STRING });
const of = (typeName: string, name: string, number: number) => ({
  ...named(name, number),
  type: Type.MESSAGE,
  typeName: `.reflection.${typeName}`,
});

/** As much of the messages of reflection as is used here; both versions have the same. */
const MESSAGES = [
  { name: 'ServerReflectionRequest', field: [text('file_containing_symbol', 4), text('list_services', 7)] },
  {
    name: 'ServerReflectionResponse',
    field: [
      of('FileDescriptorResponse', 'file_descriptor_response', 4),
      of('ListServiceResponse', 'list_services_response', 6),
    ],
  },
  {
    name: 'FileDescriptorResponse',
    field: [{ ...named('file_descriptor_proto', 1), label: Label.REPEATED, type: Type.BYTES }],
  },
  { name: 'ListServiceResponse', field: [{ ...of('ServiceResponse', 'service', 1), label: Label.REPEATED }] },
  { name: 'ServiceResponse', field: [text('name', 1)] },
];

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      {
        name: 'reflection.proto',
        package: 'reflection',
        syntax: 'proto3',
        messageType: MESSAGES.map((init) => create(DescriptorProtoSchema, init)),
      },
    ],
  }),
);

function message(name: string) {
  const found = registry.getMessage(`reflection.${name}`);
  if (!found) throw new Error(`no ${name}`);
  return found;
}
