import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type DescriptorProto, type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * The same file with full names of types, as protoc writes them. Files that were read from their source at run time have
 * the names of the source, which not every client can look up.
 */
export function withAbsoluteNames(bytes: Uint8Array): Uint8Array {
  const file = fromBinary(FileDescriptorProtoSchema, bytes);
  const known = new Set(namesIn(file));
  const scope = `.${file.package}`;
  for (const message of file.messageType) qualify(message, scope, known);
  for (const { method } of file.service) {
    for (const rpc of method) {
      rpc.inputType = absolute(rpc.inputType, scope, known);
      rpc.outputType = absolute(rpc.outputType, scope, known);
    }
  }
  return toBinary(FileDescriptorProtoSchema, file);
}

const namesIn = ({ package: name, messageType, enumType }: FileDescriptorProto): string[] => [
  ...messageType.flatMap((message) => namesOf(message, `.${name}`)),
  ...enumType.map((type) => `.${name}.${type.name}`),
];

function namesOf({ name, nestedType, enumType }: DescriptorProto, scope: string): string[] {
  const own = `${scope}.${name}`;
  const inner = nestedType.flatMap((message) => namesOf(message, own));
  return [own, ...inner, ...enumType.map((type) => `${own}.${type.name}`)];
}

function qualify({ name, field, nestedType }: DescriptorProto, scope: string, known: ReadonlySet<string>): void {
  const own = `${scope}.${name}`;
  for (const one of field) if (one.typeName !== '') one.typeName = absolute(one.typeName, own, known);
  for (const message of nestedType) qualify(message, own, known);
}

/** Looked up in the scope, and then in each one around it. */
function absolute(name: string, scope: string, known: ReadonlySet<string>): string {
  if (name.startsWith('.')) return name;
  for (let around = scope; around !== ''; around = around.slice(0, around.lastIndexOf('.'))) {
    if (known.has(`${around}.${name}`)) return `${around}.${name}`;
  }
  return `.${name}`;
}
