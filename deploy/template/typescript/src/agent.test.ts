import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rehearsal } from 'tidemark/agent';
import { agent } from './agent.js';

// A rehearsal is one task in memory: no broker, and the rules are those of the real one.

test('asks how many lines it shall write', async () => {
  const { status } = await new Rehearsal(agent).say('the sea');
  assert.equal(status.state, 'input-required');
  assert.deepEqual(status.message?.parts, [{ text: 'How many lines shall I write?' }]);
});

test('writes as many lines as the answer says', async () => {
  const rehearsal = new Rehearsal(agent);
  await rehearsal.say('the sea');
  const { status, artifacts } = await rehearsal.say('2 lines, please');
  assert.equal(status.state, 'completed');
  assert.deepEqual(artifacts[0]?.parts.toArray(), [
    { text: '1. Something about the sea.\n' },
    { text: '2. Something about the sea.\n' },
  ]);
});
