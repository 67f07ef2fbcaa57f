import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { type Field, type Fields, parseField } from './field-notation';

/** Full names of the types that a package uses. */
export type Names = { readonly package: string; readonly enums: ReadonlySet<string> };

const SCALARS: Readonly<Record<string, Type>> = {
  string: Type.STRING,
  bytes: Type.BYTES,
  bool: Type.BOOL,
  int32: Type.INT32,
};

const GOOGLE: ReadonlySet<string> = new Set(['Struct', 'Value', 'Timestamp', 'Empty']);

/** The full name of a type, with the dot before it that makes it absolute. */
export const typeName = (type: string, names: Names): string =>
  GOOGLE.has(type) ? `.google.protobuf.${type}` : `.${names.package}.${type}`;

/** A message. Fields that may be unset come last among its oneofs: each has one of its own, as protoc does it. */
export function toMessage(name: string, written: Fields, names: Names): DescriptorProto {
  const fields = Object.entries(written).map(parseField);
  const real = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))];
  const oneofs = [...real, ...fields.filter(isOptional).map(ownOneof)];
  const place = { message: name, oneofs, names };
  return create(DescriptorProtoSchema, {
    name,
    field: fields.map((field) => toField(field, place)),
    nestedType: fields.filter(isMap).map((field) => toEntry(field, names)),
    oneofDecl: oneofs.map((oneof) => ({ name: oneof })),
  });
}

type Place = { readonly message: string; readonly oneofs: readonly string[]; readonly names: Names };

function toField(field: Field, { message, oneofs, names }: Place): FieldDescriptorProto {
  const { name, number, kind } = field;
  const isRepeated = kind === 'repeated' || kind === 'map';
  const oneof = isOptional(field) ? ownOneof(field) : field.oneof;
  const type = isMap(field) ? { type: Type.MESSAGE, typeName: entryType(field, message, names) } : typeOf(field, names);
  return create(FieldDescriptorProtoSchema, {
    ...{ name, number, jsonName: jsonName(name), label: isRepeated ? Label.REPEATED : Label.OPTIONAL },
    ...type,
    ...(oneof !== undefined && { oneofIndex: oneofs.indexOf(oneof) }),
    ...(isOptional(field) && { proto3Optional: true }),
  });
}

function typeOf({ type }: Field, names: Names): { readonly type: Type; readonly typeName?: string } {
  const scalar = SCALARS[type];
  if (scalar !== undefined) return { type: scalar };
  return { type: names.enums.has(type) ? Type.ENUM : Type.MESSAGE, typeName: typeName(type, names) };
}

/** A map is a list of entries, of a message that belongs to it. */
function toEntry(field: Field, names: Names): DescriptorProto {
  const key: Field = { name: 'key', number: 1, kind: 'single', type: 'string' };
  const value: Field = { name: 'value', number: 2, kind: 'single', type: field.type };
  const place = { message: '', oneofs: [], names };
  return create(DescriptorProtoSchema, {
    name: entryName(field),
    field: [toField(key, place), toField(value, place)],
    options: { mapEntry: true },
  });
}

const isOptional = ({ kind }: Field): boolean => kind === 'optional';
const isMap = ({ kind }: Field): boolean => kind === 'map';
const ownOneof = ({ name }: Field): string => `_${name}`;

const jsonName = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const entryName = ({ name }: Field): string => `${jsonName(`_${name}`)}Entry`;
const entryType = (field: Field, message: string, names: Names): string =>
  `${typeName(message, names)}.${entryName(field)}`;
