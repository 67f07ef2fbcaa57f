import { join } from 'node:path';
import { run } from '../../deploy/local/command.mjs';
import { ROOT } from '../../deploy/local/paths.mjs';
import { cached, pythonWith } from '../conformance/cache.mjs';

const BUILD_MS = 600_000;
const ALL = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const HERE = join(ROOT, 'test', 'interop');

/** What a client can be asked to do, in the order of the table. 0.3 has no ListTasks. */
export const CASES = ['send', 'stream', 'get', 'list', 'cancel', 'conversation', 'artifacts', 'errors', 'resubscribe'];
const CASES_0_3 = CASES.filter((name) => name !== 'list');

/**
 * An official client. `prepare` answers the command that runs it, to which the URL, the binding, the version and the
 * cases are added.
 * @typedef {{ name: string, version: string, bindings: readonly string[], cases: readonly string[],
 *   tools: readonly string[], prepare: () => Promise<readonly string[]> }} Client
 * @type {readonly Client[]}
 */
export const CLIENTS = [
  javascript({ version: '1.0', cases: CASES }),
  javascript({ version: '0.3', cases: CASES_0_3 }),
  python({ sdk: '1.3.0', module: 'sdk_1', requirements: 'requirements-1.txt', version: '1.0', cases: CASES }),
  python({ sdk: '1.3.0', module: 'sdk_1', requirements: 'requirements-1.txt', version: '0.3', cases: CASES_0_3 }),
  python({ sdk: '0.3.26', module: 'sdk_0_3', requirements: 'requirements-0.3.txt', version: '0.3', cases: CASES_0_3 }),
  {
    name: 'go a2a-go 0.3.3',
    version: '0.3',
    bindings: ['JSONRPC', 'GRPC'],
    cases: CASES_0_3,
    tools: ['go'],
    prepare: buildGo,
  },
];

/** @returns {Client} */
function javascript({ version, cases }) {
  return {
    name: 'javascript @a2a-js/sdk 1.3.0',
    ...{ version, cases, bindings: ALL, tools: [] },
    prepare: async () => [process.execPath, join(HERE, 'js', 'client.mjs')],
  };
}

/** @returns {Client} */
function python({ sdk, module, requirements, version, cases }) {
  return {
    name: `python a2a-sdk ${sdk}`,
    ...{ version, cases, bindings: ALL, tools: ['python3'] },
    prepare: async () => {
      const python = await pythonWith(join(HERE, 'python', requirements));
      return [python, '-B', join(HERE, 'python', 'cases.py'), module];
    },
  };
}

async function buildGo() {
  const program = cached('go', 'interop');
  const env = { ...process.env, GOFLAGS: '-mod=readonly' };
  await run('go', ['build', '-o', program, '.'], { cwd: join(HERE, 'go'), env, limitMs: BUILD_MS });
  return [program];
}
