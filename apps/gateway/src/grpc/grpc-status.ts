import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { ERRORS, type FieldViolation, type ProtocolError } from '@tidemark/protocol';
import { badRequest, encodeStatus, errorInfo } from './google-rpc';

const DETAILS = 'grpc-status-details-bin';
const DOMAIN = 'a2a-protocol.org';

/** Clients take trailers of 8 KiB, in which the details are a third longer than here. */
const MAX_DETAILS_BYTES = 4_096;
const MAX_SENTENCE_LENGTH = 512;

/** How many of the fields that are to blame are named, where the trailers have no room for more. */
const SHORTER = [20, 10, 5, 2, 1, 0];

/** An error as gRPC shows it (A2A 1.0.1, section 10.6): a status, and `google.rpc.Status` in the trailers. */
export function toStatus(refusal: ProtocolError): StatusObject {
  const code = status[ERRORS[refusal.code].grpc];
  const details = sentenceOf(refusal);
  const metadata = new Metadata();
  metadata.set(DETAILS, detailsOf(refusal, code, details));
  return { code, details, metadata };
}

/** Without halves of characters, which no header can hold. */
function sentenceOf({ message }: ProtocolError): string {
  const sentence = Buffer.from(message).toString();
  return sentence.length > MAX_SENTENCE_LENGTH
    ? `${[...sentence].slice(0, MAX_SENTENCE_LENGTH).join('')}...`
    : sentence;
}

function detailsOf({ code: name, metadata, violations }: ProtocolError, code: number, sentence: string): Buffer {
  const info = errorInfo({ reason: ERRORS[name].reason, domain: DOMAIN, metadata });
  const encode = (named: readonly FieldViolation[]): Buffer =>
    encodeStatus(code, sentence, named.length > 0 ? [info, badRequest(named)] : [info]);
  const candidates = SHORTER.map((count) => encode(violations.slice(0, count)));
  return candidates.find(({ length }) => length <= MAX_DETAILS_BYTES) ?? encodeStatus(code, sentence, []);
}
