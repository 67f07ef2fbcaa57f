import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

const CLI = resolve(__dirname, '../../dist/apps/cli/main.js');

/** Runs a command of `tidemark` as an operator would. */
export const tidemark = (natsUrl: string, ...args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    const env = { ...process.env, NATS_URL: natsUrl };
    const child = execFile(process.execPath, [CLI, ...args], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
