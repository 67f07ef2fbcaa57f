import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GENERATOR = fileURLToPath(new URL('./generator/process.mjs', import.meta.url));

/**
 * Has one job done by a fresh load generator.
 * @param {import('./generator/load.mjs').LoadJob | import('./generator/load.mjs').FillJob |
 *   import('./generator/open-streams.mjs').OpenStreamsJob} job
 * @returns {Promise<any>}
 */
export function generate(job) {
  return new Promise((resolve, reject) => {
    const child = fork(GENERATOR);
    child.once('message', ({ result, error }) => (error ? reject(new Error(error)) : resolve(result)));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the load generator ended with exit code ${code}`)));
    child.send(job);
  });
}
