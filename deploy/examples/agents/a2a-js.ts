import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { fromA2aJsExecutor } from '@tidemark/adapters';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const STEPS = 5;
const STEP_MS = 200;

/** An executor as the server of `@a2a-js/sdk` runs it. Nothing in it knows of Tidemark. */
class CountingExecutor implements AgentExecutor {
  readonly #canceled = new Set<string>();

  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = request;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined };
    const begun = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined };
    bus.publish(AgentEvent.task(request.task ?? begun));

    for (let step = 1; step <= STEPS; step++) {
      if (this.#canceled.delete(taskId)) {
        this.#report(request, bus, { state: TaskState.TASK_STATE_CANCELED, words: `Stopped before step ${step}` });
        return;
      }
      this.#report(request, bus, { state: TaskState.TASK_STATE_WORKING, words: `Step ${step} of ${STEPS}` });
      await delay(STEP_MS);
    }
    const artifact = { artifactId: 'count', name: 'count', description: '', metadata: undefined, extensions: [] };
    const result = { ...artifact, parts: [part(`Counted to ${STEPS}`)] };
    bus.publish(
      AgentEvent.artifactUpdate({
        ...{ taskId, contextId, artifact: result, append: false, lastChunk: true, metadata: undefined },
      }),
    );
    this.#report(request, bus, { state: TaskState.TASK_STATE_COMPLETED });
  }

  async cancelTask(taskId: string): Promise<void> {
    this.#canceled.add(taskId);
  }

  #report({ taskId, contextId }: RequestContext, bus: ExecutionEventBus, said: { state: TaskState; words?: string }) {
    const message = said.words === undefined ? undefined : spoken(said.words);
    const status = { state: said.state, message, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }
}

const part = (value: string) => ({
  ...{ content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: 'text/plain' },
});

const spoken = (words: string) => ({
  ...{ messageId: randomUUID(), role: Role.ROLE_AGENT, parts: [part(words)], taskId: '', contextId: '' },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
});

/** The same executor as an agent whose tasks survive. */
export const agent = fromA2aJsExecutor(new CountingExecutor(), {
  id: 'a2a-js',
  name: 'Counter',
  description: 'Counts to five, slowly; an executor of @a2a-js/sdk',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'count', name: 'Count', description: 'Counts to five', tags: ['a2a-js'] }],
});
