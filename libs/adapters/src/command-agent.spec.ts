import { NonRetryableError } from '@tidemark/agent';
import { allSayings, aTurn, said, sayings } from '@tidemark/testing';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { commandAgent, type CommandAgentOptions } from './command-agent';

const profile = {
  ...{ id: 'program', name: 'Program', description: 'a program', version: '1' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  skills: [{ id: 'run', name: 'Run', description: 'runs', tags: ['run'] }],
};

/** A program in a few lines of JavaScript, with `say` and `lines`. */
const program = (code: string, options: CommandAgentOptions = {}) =>
  commandAgent(
    [
      process.execPath,
      '-e',
      `const say = (o) => console.log(JSON.stringify(o));
       const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
       const hear = async () => JSON.parse((await lines.next()).value);
       const main = async () => { ${code} };
       main();`,
    ],
    profile,
    { graceMs: 300, ...options },
  );

const run = (code: string, options?: CommandAgentOptions) => allSayings(program(code, options), aTurn('hello').turn);

/** What is written to our own standard error, and when a line of it is there. */
function heardErrors() {
  const lines: string[] = [];
  const written = new EventEmitter();
  jest.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return written.emit('line');
  });
  const until = async (line: string): Promise<void> => {
    while (!lines.includes(line)) await once(written, 'line');
  };
  return { lines, until };
}

afterEach(() => jest.restoreAllMocks());

/** Resolves once no process has the id, but for one that is dead and was not yet fetched by its parent. */
async function gone(pid: number): Promise<true> {
  while (stateOf(pid) !== 'Z') await new Promise((resolve) => setImmediate(resolve));
  return true;
}

function stateOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim()[0] ?? 'Z';
}

const dataOf = (output: unknown): unknown =>
  (output as { produced: { parts: { data: unknown }[] } }).produced.parts[0]?.data;

describe('a program as an agent', () => {
  it('gets the turn, and says every kind of line', async () => {
    const outputs = await run(`
      const { type, message, task, attempt } = await hear();
      say({ type: 'working', text: type + ' ' + attempt + ' ' + task.status.state });
      say({ type: 'artifact', name: 'echo', parts: message.parts, lastChunk: true });
      say({ type: 'token', text: 'wo' });
      say({ type: 'checkpoint', checkpoint: { page: 2 } });
      say({ type: 'completed', text: 'done' });`);
    expect(outputs).toEqual([
      { type: 'working', said: { parts: [{ text: 'turn 1 TASK_STATE_WORKING' }] } },
      { type: 'artifact', produced: { name: 'echo', parts: [{ text: 'hello' }], lastChunk: true } },
      { type: 'token', artifact: 'answer', text: 'wo' },
      { type: 'checkpoint', checkpoint: { page: 2 } },
      { type: 'completed', said: { parts: [{ text: 'done' }] } },
    ]);
  });

  it('hears further messages while it runs', async () => {
    const { turn, say } = aTurn('hello');
    say(said('and this'));
    const outputs = await allSayings(
      program(`await hear(); const { type, message } = await hear();
        say({ type: 'input-required', text: type + ': ' + message.parts[0].text });`),
      turn,
    );
    expect(outputs).toEqual([{ type: 'input-required', said: { parts: [{ text: 'message: and this' }] } }]);
  });

  it('gets its checkpoint and its references, and nothing of the environment that is not given', async () => {
    process.env['A_SECRET'] = 'secret';
    const message = { ...said('hello'), referenceTaskIds: ['x'] };
    const references = async () => ({ tasks: [], unknown: ['x'] });
    const { turn } = aTurn('', { message, checkpoint: { page: 2 }, attempt: 3, references });
    const code = `const { checkpoint, references, attempt } = await hear();
      const { A_SECRET, GIVEN } = process.env;
      say({ type: 'artifact', name: 'a', parts: [{ data: { checkpoint, references, attempt, GIVEN, A_SECRET } }] });`;
    const outputs = await allSayings(program(code + 'process.exit()', { env: { GIVEN: 'yes' } }), turn);
    expect(dataOf(outputs[0])).toEqual({
      ...{ checkpoint: { page: 2 }, references: { tasks: [], unknown: ['x'] }, attempt: 3, GIVEN: 'yes' },
    });
    expect(outputs[1]).toEqual({ type: 'completed' });
  });

  it.each([
    [`{"type":"artifact","name":"a","parts":[{"text":5}]}`, 'Line 2', 'parts[0].text must be a string'],
    [`{"type":"artifact","name":"a","text":"x","lastchunk":true}`, 'Line 2', 'lastchunk'],
    [`{"type":"artifact","name":"a","parts":[{"raw":"!"}]}`, 'Line 2', 'parts[0].raw must be bytes in base64'],
    [`{"type":"done"}`, 'Line 2', 'type must be one of working'],
    [`{"type":"input-required"}`, 'Line 2', 'exactly one of text and parts'],
    [`{"type":"checkpoint","checkpoint":[]}`, 'Line 2', 'checkpoint must be an object'],
    [`[]`, 'Line 2', 'a JSON object'],
    [`hello`, 'Line 2', 'no JSON'],
    [`"${'x'.repeat(2_000)}"`, 'Line 2', 'longer than 1000 bytes'],
  ])('fails for good with the line and the field where it says %s', async (line, where, what) => {
    const failing = run(`say({ type: 'working' }); console.log(${JSON.stringify(line)});`, { maxLineBytes: 1_000 });
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NonRetryableError);
    expect((error as Error).message).toContain(where);
    expect((error as Error).message).toContain(what);
  });

  it('fails where it ends well without a result', async () => {
    expect(await run(`process.exit(0)`)).toEqual([
      { type: 'failed', said: { parts: [{ text: 'The program ended without a result' }] } },
    ]);
  });

  it('is an error to be tried again where it ends badly, and its complaints are for who runs it', async () => {
    const { lines, until } = heardErrors();
    const failing = run(`console.error('a\\x1bb' + 'x'.repeat(9_000)); console.error('no disk'); process.exit(3);`);
    const error = (await failing.catch((thrown: unknown) => thrown)) as Error;
    expect(error).not.toBeInstanceOf(NonRetryableError);
    expect(error.message).toBe('The program ended with exit code 3');
    await until('program: no disk\n');
    expect(lines).toEqual([`program: a b${'x'.repeat(1_997)}\n`, 'program: no disk\n']);
    await expect(run(`process.kill(process.pid, 'SIGKILL')`)).rejects.toThrow('was ended by SIGKILL');
  });

  it('may complain without end, which is not all shown', async () => {
    const { lines, until } = heardErrors();
    const code = `for (let i = 0; i < 1_000; i++) console.error('x'.repeat(1_000)); say({ type: 'completed' });`;
    expect(await run(code)).toEqual([{ type: 'completed' }]);
    await until('program: (it writes more than is shown)\n');
    expect(lines.join('').length).toBeLessThan(270_000);
  });

  it.each([
    ['ends well', `process.exit(0)`, 'without a result'],
    ['stays', `setInterval(() => {}, 1_000)`, 'The program was ended by SIGTERM'],
    ['stays, whatever it is told', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000)`, 'SIGKILL'],
  ])('does not hold its turn where it closes its output and %s', async (_, then, how) => {
    const going = run(`require('node:fs').closeSync(1); ${then}`).catch((error: unknown) => [String(error)]);
    expect(JSON.stringify(await going)).toContain(how);
  });

  it('fails for good where there is no such program', async () => {
    const missing = commandAgent(['/no/such/program'], profile);
    await expect(allSayings(missing, aTurn('').turn)).rejects.toThrow(NonRetryableError);
  });

  it('is asked to cancel, and may have the last word', async () => {
    const { turn, abort } = aTurn('hello');
    const outputs: unknown[] = [];
    const agent = program(`await hear(); say({ type: 'working' }); const { type } = await hear();
      say({ type: 'failed', text: 'heard ' + type });`);
    for await (const output of sayings(agent, turn)) {
      outputs.push(output);
      abort('canceled');
    }
    expect(outputs.at(-1)).toEqual({ type: 'failed', said: { parts: [{ text: 'heard cancel' }] } });
  });

  it.each(['canceled', 'shutdown'])('leaves nobody behind when it is %s and will not end', async (reason) => {
    const { turn, abort } = aTurn('hello');
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);`;
    const agent = program(`${stubborn} await hear();
      const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' });
      say({ type: 'artifact', name: 'pids', parts: [{ data: [process.pid, child.pid] }] });`);
    const pids: number[] = [];
    const going = (async () => {
      for await (const output of sayings(agent, turn)) {
        pids.push(...(dataOf(output) as number[]));
        abort(reason);
      }
    })();
    await expect(going).rejects.toThrow(`stopped: ${reason}`);
    expect(await Promise.all(pids.map(gone))).toEqual([true, true]);
  });

  it('is ended when its turn is over although nobody told it', async () => {
    const { turn, end } = aTurn('hello');
    const agent = program(`await hear(); say({ type: 'artifact', name: 'pid', parts: [{ data: process.pid }] });
      setInterval(() => {}, 1_000);`);
    const outputs = agent.run(turn)[Symbol.asyncIterator]();
    const pid = dataOf((await outputs.next()).value) as number;
    end();
    await expect(outputs.next()).rejects.toThrow('SIGTERM');
    expect(await gone(pid)).toBe(true);
  });

  it.each([
    [[], {}, 'command must name a program'],
    [['a'], { graceMs: 1 }, 'graceMs'],
  ])('refuses %j with %j', (argv, options, what) => {
    expect(() => commandAgent(argv, profile, options)).toThrow(what);
  });
});
