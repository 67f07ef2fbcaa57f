const NEWLINE = 0x0a;

/** A line was longer than it may be. */
export class LineTooLong extends Error {
  constructor(
    readonly line: number,
    maxBytes: number,
  ) {
    super(`Line ${line} of the program's output is longer than ${maxBytes} bytes`);
  }
}

/** The lines of a stream of bytes, the last one also without an end. Blank ones are kept, so that lines can be counted. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string> {
  let held: Uint8Array[] = [];
  let size = 0;
  let count = 1;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = [...held, chunk.subarray(start, end)];
      if (size + end - start > maxBytes) throw new LineTooLong(count, maxBytes);
      [held, size, start] = [[], 0, end + 1];
      count += 1;
      yield Buffer.concat(line).toString('utf8');
    }
    held.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxBytes) throw new LineTooLong(count, maxBytes);
  }
  if (size > 0) yield Buffer.concat(held).toString('utf8');
}
