#!/usr/bin/env node
import { join } from 'node:path';
import { runVisibly } from './command.mjs';
import { launch } from './launch.mjs';
import { live } from './lifetime.mjs';
import { callersFolder, DATA_DIR, dataDirIn, ROOT } from './paths.mjs';
import { prepareToBuild, prepareToTest } from './prepare.mjs';
import { currentRun } from './run-lock.mjs';
import { createSteps } from './steps.mjs';

const CLI = join(ROOT, 'dist', 'apps', 'cli', 'main.js');

const [name, ...args] = process.argv.slice(2);
const folder = callersFolder();

// Everything else is the command line's, which has to be built before it can be asked.
if (name === 'start') await launch(args, { folder, dataDir: dataDirIn(folder) });
else await live({ work: runCommand, interruptedCode: 130 });

async function runCommand() {
  const env = name === 'conformance' && !process.env.NATS_URL ? await withBinary() : await withBroker();
  return runVisibly(process.execPath, [CLI, ...process.argv.slice(2)], { cwd: folder, env });
}

/** Executors are judged on a broker of their own. */
async function withBinary() {
  return { ...process.env, NATS_SERVER_BIN: await prepareToTest(toErrors()) };
}

/** The broker that the user names, else that of the Tidemark which runs here: it may have had to take another port. */
async function withBroker() {
  await prepareToBuild(toErrors());
  const run = (await currentRun(dataDirIn(folder))) ?? (await currentRun(DATA_DIR));
  const natsUrl = process.env.NATS_URL || run?.natsUrl;
  return natsUrl ? { ...process.env, NATS_URL: natsUrl } : process.env;
}

/** What a command prints may be read by a program, so the steps before it go elsewhere. */
function toErrors() {
  return createSteps(process.stderr, { quietMs: 2_000 });
}
