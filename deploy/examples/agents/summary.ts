import { artifact, completed, inputRequired, type TaskAgent, text } from '@tidemark/agent';
import type { Task } from '@tidemark/domain';

/** Says what came of the tasks that a message refers to, of whatever agent, and which of them it knows nothing of. */
export const agent: TaskAgent = {
  profile: {
    id: 'summary',
    name: 'Summary',
    description: 'Sums up the tasks that a message names in its referenceTaskIds',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'sum-up', name: 'Sum up', description: 'One line for each task', tags: ['references'] }],
  },

  async *run({ references }) {
    const { tasks, unknown } = await references();
    if (tasks.length + unknown.length === 0) {
      yield inputRequired('Which tasks shall I sum up? Name them in referenceTaskIds.');
      return;
    }
    const lines = [...tasks.map(lineOf), ...unknown.map((id) => `${id}: unknown`)];
    yield artifact({ name: 'summary', parts: [text(lines.join('\n'))] });
    yield completed(unknown.length > 0 ? `I know nothing of ${unknown.join(', ')}` : undefined);
  },
};

function lineOf({ taskId, agent, status, artifacts }: Task): string {
  const results = artifacts.map(({ name, artifactId }) => name ?? artifactId).join(', ');
  return `${taskId}: ${agent}, ${status.state}, ${results || 'no results'}`;
}
