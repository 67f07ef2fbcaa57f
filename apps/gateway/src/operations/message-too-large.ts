import { jsonBytes } from '@tidemark/blobs';
import type { AddMessage, JsonObject, Message, Part, SubmitTask } from '@tidemark/domain';
import { ProtocolError } from '@tidemark/protocol';

type Field = { readonly field: string; readonly sizeBytes: number };

/** A message whose event is too large although the content of its parts was taken out; names what is largest. */
export function messageTooLarge(
  { message, requestMetadata }: Pick<SubmitTask | AddMessage, 'message' | 'requestMetadata'>,
  limitBytes: number,
): ProtocolError {
  const [{ field, sizeBytes }] = fieldsOf(message, requestMetadata).sort((a, b) => b.sizeBytes - a.sizeBytes) as [
    Field,
  ];
  const limit = `a message without the content of its parts may have ${limitBytes}`;
  const description = `must be smaller: it has ${sizeBytes} bytes, and ${limit}`;
  return new ProtocolError('PAYLOAD_TOO_LARGE', {
    metadata: { limitBytes: String(limitBytes) },
    violations: [{ field, description }],
  });
}

/** As the client would write them. */
function fieldsOf({ parts, ...message }: Message, metadata: JsonObject = {}): Field[] {
  return [
    { field: 'metadata', sizeBytes: jsonBytes(metadata) },
    ...members('message', message),
    ...parts.flatMap((part: Part, index) => members(`message.parts[${index}]`, part)),
  ];
}

const members = (name: string, value: object): Field[] =>
  Object.entries(value).map(([member, held]) => ({ field: `${name}.${member}`, sizeBytes: jsonBytes(held) }));
