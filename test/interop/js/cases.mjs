import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** The agent does what the beginning of an id says; the rest makes it the id of one message. */
const idFor = (wish) => `${wish}-${randomUUID()}`;

/**
 * What a client of any binding and any version has to be able to do. The clients in the other languages have the same.
 * @type {Readonly<Record<string, (sdk: import('./sdk.mjs').Sdk) => Promise<void>>>}
 */
export const CASES = {
  async send(sdk) {
    const task = await sdk.send(idFor('tck-complete-task'));
    assert.deepEqual([task.state, task.said], ['completed', 'Hello from TCK']);
  },

  async stream(sdk) {
    const events = await all(sdk.stream(idFor('tck-stream-001')));
    assert.equal(events[0].kind, 'task');
    assert.ok(events.some(({ kind, text }) => kind === 'artifactUpdate' && text === 'Stream hello from TCK'));
    assert.equal(events.at(-1).state, 'completed');
  },

  async get(sdk) {
    const { id, contextId } = await sdk.send(idFor('tck-complete-task'));
    const found = await sdk.get(id);
    assert.deepEqual([found.id, found.contextId, found.state], [id, contextId, 'completed']);
  },

  async list(sdk) {
    const { id, contextId } = await sdk.send(idFor('tck-complete-task'));
    assert.deepEqual(
      (await sdk.list(contextId)).map((task) => task.id),
      [id],
    );
  },

  async cancel(sdk) {
    const { id } = await sdk.send(idFor('tck-input-required'));
    assert.equal((await sdk.cancel(id)).state, 'canceled');
    assert.equal((await sdk.get(id)).state, 'canceled');
  },

  async conversation(sdk) {
    const asked = await sdk.send(idFor('tck-input-required'));
    assert.equal(asked.state, 'input-required');
    const done = await sdk.send(idFor('tck-complete-task'), asked.id);
    assert.deepEqual([done.id, done.state], [asked.id, 'completed']);
  },

  async artifacts(sdk) {
    const { id, artifacts } = await sdk.send(idFor('tck-stream-artifact-chunked'));
    assert.deepEqual(artifacts, ['chunk-1 chunk-2']);
    assert.deepEqual((await sdk.get(id)).artifacts, artifacts);
  },

  async errors(sdk) {
    assert.equal(await refusalOf(sdk, sdk.get(randomUUID())), 'not found');
    const { id } = await sdk.send(idFor('tck-complete-task'));
    assert.equal(await refusalOf(sdk, sdk.cancel(id)), 'not cancelable');
  },

  async resubscribe(sdk) {
    const stream = sdk.stream(idFor('test-resubscribe-message-id'));
    const { id } = (await stream.next()).value.task;
    await stream.return();
    const events = await all(sdk.subscribe(id));
    assert.equal(events[0].task?.id, id);
    assert.equal(events.at(-1).state, 'completed');
  },
};

async function all(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

const refusalOf = (sdk, call) =>
  call.then(
    () => 'nothing was refused',
    (error) => sdk.refusalIn(error),
  );
