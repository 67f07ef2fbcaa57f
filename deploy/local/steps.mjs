const REMIND_MS = 15_000;
const OUTPUT_LINES = 40;

/**
 * @typedef {(note: string) => void} Note
 * @typedef {<T>(label: string, work: (note: Note) => Promise<T> | T) => Promise<T>} Step
 */

/**
 * Makes the function that runs a step and gives it one line with its time. On a terminal the line counts while the step
 * runs; elsewhere a long one says now and then that it is still at it. A step that fails shows all that it noted.
 * @param {NodeJS.WriteStream} out
 * @param {{ quietMs?: number }} [options] steps that are faster than `quietMs` get no line
 * @returns {Step}
 */
export function createSteps(out, { quietMs = 0 } = {}) {
  return async function step(label, work) {
    const notes = [];
    const line = openLine(out, { label, quietMs });
    try {
      const result = await work((note) => notes.push(note));
      line.close('✓', notes.at(-1));
      return result;
    } catch (error) {
      line.close('✗', undefined);
      for (const shown of [...notes, ...outputOf(error)]) out.write(`      ${shown}\n`);
      throw error;
    }
  };
}

/**
 * @param {NodeJS.WriteStream} out
 * @param {{ label: string, quietMs: number }} step
 */
function openLine(out, { label, quietMs }) {
  const since = performance.now();
  const elapsedMs = () => performance.now() - since;
  const text = (mark) => `  ${mark} ${label.padEnd(16)} ${(elapsedMs() / 1000).toFixed(1).padStart(6)} s`;
  const timer = setInterval(tick, out.isTTY ? 200 : REMIND_MS);

  function tick() {
    if (elapsedMs() >= quietMs) out.write(out.isTTY ? `\r${text('…')}` : `${text('…')}\n`);
  }

  function close(mark, note) {
    clearInterval(timer);
    if (mark === '✓' && elapsedMs() < quietMs) return;
    out.write(`${out.isTTY ? '\r' : ''}${text(mark)}${note ? `  ${note}` : ''}\n`);
  }

  return { close };
}

/**
 * What a failed command printed, its end at most.
 * @param {any} error
 * @returns {string[]}
 */
function outputOf(error) {
  const lines = (error.output ?? '').trimEnd().split('\n').filter(Boolean);
  return lines.slice(-OUTPUT_LINES);
}
