import type { ChildProcessWithoutNullStreams } from 'node:child_process';

const MAX_LINE_LENGTH = 2_000;
const MAX_LENGTH = 262_144;

/**
 * Writes what a program says on its standard error to our own, line by line behind a label. A line is cut at 2,000
 * characters; after 256 KiB the rest is read, and not shown. Control characters are not passed on.
 */
export function passOnErrors(errors: ChildProcessWithoutNullStreams['stderr'], label: string): void {
  let [held, left] = ['', MAX_LENGTH];
  const show = (line: string): void => {
    if (left <= 0) return;
    const shown = line
      .slice(0, MAX_LINE_LENGTH)
      .replace(/\p{Cc}/gu, ' ')
      .trimEnd();
    left -= shown.length + 1;
    process.stderr.write(`${label}: ${shown}\n`);
    if (left <= 0) process.stderr.write(`${label}: (it writes more than is shown)\n`);
  };
  errors.setEncoding('utf8');
  errors.on('data', (chunk: string) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop()?.slice(0, MAX_LINE_LENGTH) ?? '';
    for (const line of lines) show(line);
  });
  errors.on('close', () => {
    if (held !== '') show(held);
  });
}
