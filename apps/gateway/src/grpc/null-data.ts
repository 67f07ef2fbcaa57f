/** Members of a message that hold JSON of the user's: there are no parts in it. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'content', 'params', 'header']);

/**
 * A part of data may be null, which the conversion from JSON takes for no content at all. Every part of ours has
 * content, so one that has none is such a part. Changes the message.
 */
export function withNullData<Message>(message: Message): Message {
  if (typeof message === 'object' && message !== null) visit(message);
  return message;
}

function visit(message: object): void {
  if ('mediaType' in message && 'content' in message && message.content === undefined) {
    message.content = { $case: 'data', value: null };
  }
  for (const [name, member] of Object.entries(message)) {
    if (typeof member === 'object' && member !== null && !OPAQUE.has(name)) visit(member as object);
  }
}
