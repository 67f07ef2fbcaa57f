import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { FieldViolation } from '@tidemark/protocol';

const TYPE_URL = 'type.googleapis.com/google.rpc';

/** A message of `google.rpc` inside of a status: its type, and its bytes. */
export type Detail = { readonly typeUrl: string; readonly value: Uint8Array };

export type ErrorInfo = {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
};

/** `google.rpc.Status`. */
export function encodeStatus(code: number, message: string, details: readonly Detail[]): Buffer {
  const writer = new BinaryWriter();
  writer.uint32(tag(1, VARINT)).int32(code);
  text(writer, 2, message);
  for (const { typeUrl, value } of details) {
    const detail = writer.uint32(tag(3, LENGTH)).fork();
    text(detail, 1, typeUrl);
    detail.uint32(tag(2, LENGTH)).bytes(value).join();
  }
  return Buffer.from(writer.finish());
}

/** `google.rpc.ErrorInfo`. */
export function errorInfo({ reason, domain, metadata }: ErrorInfo): Detail {
  const writer = new BinaryWriter();
  text(writer, 1, reason);
  text(writer, 2, domain);
  for (const [key, value] of Object.entries(metadata)) {
    const entry = writer.uint32(tag(3, LENGTH)).fork();
    text(entry, 1, key);
    text(entry, 2, value);
    entry.join();
  }
  return { typeUrl: `${TYPE_URL}.ErrorInfo`, value: writer.finish() };
}

/** `google.rpc.BadRequest`. */
export function badRequest(violations: readonly FieldViolation[]): Detail {
  const writer = new BinaryWriter();
  for (const { field, description } of violations) {
    const violation = writer.uint32(tag(1, LENGTH)).fork();
    text(violation, 1, field);
    text(violation, 2, description);
    violation.join();
  }
  return { typeUrl: `${TYPE_URL}.BadRequest`, value: writer.finish() };
}

const VARINT = 0;
const LENGTH = 2;

const tag = (field: number, wireType: number): number => (field << 3) | wireType;

const text = (writer: BinaryWriter, field: number, value: string): BinaryWriter =>
  writer.uint32(tag(field, LENGTH)).string(value);
