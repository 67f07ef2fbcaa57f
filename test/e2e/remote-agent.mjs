// An agent elsewhere, in a process of its own: the server of @a2a-js/sdk, with its tasks in memory.
import { AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const url = `http://127.0.0.1:${process.env.PORT}`;
const part = (value) => ({ content: { $case: 'text', value }, filename: '', mediaType: '' });
const spoken = (words) => ({
  messageId: randomUUID(),
  role: Role.ROLE_AGENT,
  parts: [part(words)],
  extensions: [],
  referenceTaskIds: [],
});

/** Counts as far as the message says, one number every 50 ms. */
const executor = {
  async execute({ task, taskId, contextId, userMessage }, bus) {
    const say = (state, words) =>
      bus.publish(
        AgentEvent.statusUpdate({
          ...{ taskId, contextId },
          status: { state, message: words && spoken(words), timestamp: new Date().toISOString() },
        }),
      );
    const status = { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.task(task ?? { id: taskId, contextId, status, artifacts: [], history: [userMessage] }));
    say(TaskState.TASK_STATE_WORKING, 'counting');
    const last = Number(userMessage.parts[0].content.value);
    for (let number = 1; number <= last; number++) {
      const artifact = { artifactId: 'numbers', name: 'numbers', parts: [part(`${number}`)], extensions: [] };
      bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: true, lastChunk: number === last }));
      await delay(50);
    }
    say(TaskState.TASK_STATE_COMPLETED);
  },
  async cancelTask() {},
};

const card = AgentCard.fromJSON({
  ...{ name: 'Remote counter', description: 'counts elsewhere', version: '1.0.0' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  capabilities: { streaming: true },
  skills: [{ id: 'count', name: 'Count', description: 'counts', tags: ['count'] }],
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => AgentCard.toJSON(card) }));
app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
