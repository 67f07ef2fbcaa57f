import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { live } from './lifetime.mjs';
import { DATA_DIR } from './paths.mjs';
import { Processes } from './processes.mjs';

/**
 * Does work that starts processes and keeps data of its own; neither outlives it.
 * @param {string} name of its folder
 * @param {(own: { processes: Processes, dataDir: string }) => Promise<unknown>} work
 */
export function liveWithProcesses(name, work) {
  const dataDir = join(DATA_DIR, `${name}-${process.pid}`);
  const processes = new Processes();
  return live({
    work: () => work({ processes, dataDir }),
    interruptedCode: 130,
    kill: () => processes.kill(),
    cleanUp: async () => {
      await processes.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}
