import { AgentEvent } from '@a2a-js/sdk/server';
import { TaskState } from '@a2a-js/sdk';

/** The same four events as the agent `echo` of Tidemark: submitted, working, one artifact, completed. */
export const echo = {
  async execute(request, bus) {
    begin(request, bus);
    const artifact = { ...EMPTY, artifactId: 'echo', name: 'echo', description: '', parts: request.userMessage.parts };
    bus.publish(AgentEvent.artifactUpdate({ ...placeOf(request), ...EMPTY, artifact, append: false, lastChunk: true }));
    bus.publish(status(request, TaskState.TASK_STATE_COMPLETED));
  },
  async cancelTask() {},
};

/** Takes a task up and never says anything again. */
export const waiter = {
  async execute(request, bus) {
    begin(request, bus);
    await new Promise(() => undefined);
  },
  async cancelTask() {},
};

const EMPTY = { metadata: undefined, extensions: [] };

function begin(request, bus) {
  const { taskId: id, contextId, userMessage } = request;
  const submitted = { state: TaskState.TASK_STATE_SUBMITTED, timestamp: now(), message: undefined };
  bus.publish(
    AgentEvent.task({ id, contextId, status: submitted, artifacts: [], history: [userMessage], metadata: undefined }),
  );
  bus.publish(status(request, TaskState.TASK_STATE_WORKING));
}

function status(request, state) {
  const reported = { state, timestamp: now(), message: undefined };
  return AgentEvent.statusUpdate({ ...placeOf(request), status: reported, metadata: undefined });
}

const placeOf = ({ taskId, contextId }) => ({ taskId, contextId });
const now = () => new Date().toISOString();
