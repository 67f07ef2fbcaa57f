/**
 * Reads a body of server-sent events. Leaving the loop closes the connection.
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null} body
 * @returns {AsyncGenerator<{ id: string, data: string }>}
 */
export async function* serverSentEvents(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = /** @type {string} */ (blocks.pop());
    yield* blocks.map(parseEvent).filter((event) => event.data !== '');
  }
}

/**
 * Comments, which keep the line alive, and fields that nobody asked for fall away.
 * @param {string} block
 */
function parseEvent(block) {
  const event = { id: '', data: '' };
  for (const line of block.split('\n')) {
    const [, field, value] = /^(id|data): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') event.id = value;
    if (field === 'data') event.data += event.data ? `\n${value}` : value;
  }
  return event;
}
