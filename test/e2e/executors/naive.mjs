// A naive executor for the tests of the conformance suite. Its first argument names the rule that it breaks.
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const [, , fault = 'none'] = process.argv;
const { NATS_URL, AGENTS: agent, EXECUTOR_ID } = process.env;
const STREAM = 'TASK_EVENTS';
const ENDS = ['completed', 'failed', 'canceled', 'rejected'];

const nc = await connect({ servers: NATS_URL });
const manager = await jetstreamManager(nc);
const bucket = await new Kvm(nc).create('AGENTS', { history: 1 });
await bucket.put(
  agent,
  JSON.stringify({
    ...{ id: agent, name: agent, description: 'For tests', version: '1', defaultInputModes: ['*/*'] },
    ...{ defaultOutputModes: ['*/*'], skills: [{ id: 's', name: 's', description: 's', tags: ['t'] }] },
  }),
);
await manager.consumers.add(STREAM, {
  durable_name: `executor-${agent}`,
  filter_subjects: ['submitted', 'message', 'auth-decided'].map((type) => `task.*.${agent}.*.${type}`),
  ack_policy: AckPolicy.Explicit,
  ack_wait: 2_000_000_000,
  max_deliver: -1,
});
const consumer = await jetstream(nc).consumers.get(STREAM, `executor-${agent}`);
for await (const msg of await consumer.consume()) {
  if (fault === 'early-ack') msg.ack();
  void work(msg).then(() => msg.ack());
}

/** The events of a task, by its filter. */
async function load(filter) {
  const events = [];
  for (let seq = 1; ; seq = events.at(-1).seq + 1) {
    const found = await manager.direct.getMessage(STREAM, { seq, next_by_subj: filter }).catch(() => null);
    if (!found) return events;
    events.push({ seq: found.seq, ...found.json() });
  }
}

async function work(msg) {
  const place = msg.subject.split('.').slice(0, 4).join('.');
  const before = await load(`${place}.>`);
  const turns = before.filter(({ type, trigger }) => type === 'working' && trigger);
  if (fault !== 'again' && (before.some(({ type }) => ENDS.includes(type)) || turns.length > 0)) return;
  const turn = turns.length + 1;
  const say = (payload) => append(place, { ...payload, turn });
  await say({ type: 'working', trigger: msg.json().version });
  const [name, count, pauseMs] = msg.json().message.parts[0].text.split(' ');
  for (let tick = 1; name === 'ticks' && tick <= count; tick++) {
    await delay(Number(pauseMs));
    const artifact = { artifactId: 'ticks', parts: [{ text: `tick ${tick}` }] };
    if (!(await say({ type: 'artifact', artifact, append: true, lastChunk: false }))) return;
  }
  if (name === 'complete') await complete(say);
  if (name === 'wait')
    await delay(1_000).then(() => say({ type: 'input-required', seen: 2, ...saying('heard hello') }));
  else await say({ type: 'completed', seen: 1, ...saying('done') });
  if (fault === 'no-end') await say({ type: 'working' });
}

async function complete(say) {
  await say({ type: 'working', ...saying('working on it') });
  await say({ type: 'artifact', artifact: { artifactId: 'r', parts: [] }, append: false, lastChunk: true });
}

function saying(text) {
  return { message: { messageId: randomUUID(), role: 'agent', parts: [{ text }] } };
}

/** False where the turn is over. */
async function append(place, payload) {
  for (;;) {
    const events = await load(`${place}.>`);
    const newest = events.findLast(({ type, trigger }) => type === 'working' && trigger);
    const isOver = events.some(({ type }) => ENDS.includes(type)) && !['no-fence', 'no-end', 'again'].includes(fault);
    const isDisplaced = newest && newest.turn > payload.turn && fault !== 'no-fence';
    if (isOver || isDisplaced) return false;
    const envelope = { v: 1, id: randomUUID(), version: events.length + 1, at: new Date().toISOString() };
    const event = { ...envelope, actor: { kind: 'executor', id: EXECUTOR_ID }, ...payload };
    const answer = await nc.request(`${place}.${payload.type}`, JSON.stringify(event), {
      headers: expecting(place, events.at(-1).seq),
      timeout: 2_000,
    });
    if (!answer.json().error) return true;
  }
}

function expecting(place, sequence) {
  const expected = headers();
  if (fault === 'no-headers') return expected;
  expected.set('Nats-Expected-Last-Subject-Sequence', String(sequence));
  expected.set('Nats-Expected-Last-Subject-Sequence-Subject', `${place}.>`);
  return expected;
}
