import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentProfile, Rehearsal } from 'tidemark/agent';
import { agent } from './agent.js';
import { profile } from './profile.js';

// A rehearsal is one task in memory: no broker, and the rules are those of the real one. These tests hold for any agent that
// does what its profile gives as examples. Add what yours promises, such as what is in task.artifacts.

const ANSWER = '2 lines, please';
const { skills }: AgentProfile = profile;
const examples = skills.flatMap((skill) => skill.examples ?? []);

test('takes up each of its examples', async () => {
  for (const example of examples) {
    const { status } = await new Rehearsal(agent).say(example);
    assert.notEqual(status.state, 'failed', `"${example}" made it fail: ${JSON.stringify(status.message)}`);
  }
});

test('goes on when its question is answered', async () => {
  for (const example of examples) {
    const rehearsal = new Rehearsal(agent);
    const asked = await rehearsal.say(example);
    if (asked.status.state !== 'input-required') continue;
    const { status } = await rehearsal.say(ANSWER);
    assert.notEqual(status.state, 'failed', `"${ANSWER}" made it fail: ${JSON.stringify(status.message)}`);
  }
});
