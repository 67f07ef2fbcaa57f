import { Message as SdkMessage, Task as SdkTask } from '@a2a-js/sdk';
import type { Artifact, JsonValue, Message, Task } from '@tidemark/domain';

/** Where a message stands: an agent elsewhere has names of its own for its task and its context. */
export type Place = { readonly taskId: string; readonly contextId: string };

/** A task as A2A writes it, its history with all that was said. */
export function toA2aTask(task: Task) {
  const { taskId, contextId, status, history, artifacts } = task;
  return {
    ...{ id: taskId, contextId },
    status: {
      ...{ state: stateOf(status.state), timestamp: status.at },
      ...(status.message && { message: toA2aMessage(status.message, task) }),
    },
    history: history.toArray().map((message) => toA2aMessage(message, task)),
    artifacts: artifacts.map(toA2aArtifact),
  };
}

export const toA2aMessage = (message: Message, { taskId, contextId }: Place) => ({
  ...message,
  ...{ taskId, contextId },
  role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
});

/** Objects of the SDK are for others to change: nothing in them is ours. */
export const toSdkTask = (task: ReturnType<typeof toA2aTask>): SdkTask => SdkTask.fromJSON(structuredClone(task));

export const toSdkMessage = (message: Message, place: Place): SdkMessage =>
  SdkMessage.fromJSON(structuredClone(toA2aMessage(message, place)));

const toA2aArtifact = ({ parts, ...artifact }: Artifact) => ({ ...artifact, parts: parts.toArray() });

const stateOf = (state: Task['status']['state']): string => `TASK_STATE_${state.replace('-', '_').toUpperCase()}`;

/** A line of JSON. */
export const toLine = (value: Readonly<Record<string, JsonValue | object | undefined>>): string =>
  `${JSON.stringify(value)}\n`;
