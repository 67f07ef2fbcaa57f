import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, said } from './client';
import { System } from './system';

let system: System;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-modules-'));
  system = await System.start('gateway');
});

afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The source of an agent that only completes. */
const agentOf = (id: string): string => `({
  profile: {
    id: '${id}', name: 'Module', description: 'Completes', version: '1.0.0',
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
    skills: [{ id: 'do', name: 'Do', description: 'Does it', tags: ['test'] }],
  },
  async *run() { yield { type: 'completed' }; },
})`;

function write(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

describe('a module of agents', () => {
  const shapes = {
    'a-promise.mjs': `const later = await Promise.resolve(${agentOf('a-promise')});\nexport const agent = later;`,
    'several.mjs': `export const agents = [${agentOf('several')}, ${agentOf('several-too')}];`,
    'its-default.mjs': `const agent = ${agentOf('its-default')};\nexport { agent, agent as default };`,
    'the-module.cjs': `module.exports = ${agentOf('the-module')};`,
    'made-at-runtime.cjs': `module.exports['age' + 'nt'] = ${agentOf('made-at-runtime')};`,
    'compiled.cjs': `exports.__esModule = true;\nexports.default = ${agentOf('compiled')};`,
  };

  it('is an ES module, also with an await at its top level, or one of CommonJS, in every shape', async () => {
    const files = Object.entries(shapes).map(([name, source]) => write(name, source));
    await system.add('executor', { AGENT_MODULES: files.join(',') });
    for (const id of [...Object.keys(shapes).map((name) => name.replace(/\.\w+$/, '')), 'several-too']) {
      const { status } = await new Client(`${system.app('gateway').url}/agents/${id}`).send(said('do'));
      expect([id, status.state]).toEqual([id, 'TASK_STATE_COMPLETED']);
    }
  });

  it.each([
    ['none.mjs', 'export const something = 1;', 'exports neither `agent` nor `agents`'],
    ['broken.mjs', 'throw new Error("the model is missing");', 'cannot be loaded: the model is missing'],
    ['idle.mjs', `export const agent = { profile: ${agentOf('idle')}.profile };`, 'needs a function run'],
    ['twice.mjs', `export const agent = ${agentOf('echo')};`, 'there are two agents with the id echo'],
  ])('that is %s keeps the executor from starting, which says why', async (name, source, reason) => {
    await expect(system.add('executor', { AGENT_MODULES: write(name, source) })).rejects.toThrow(reason);
  });
});
