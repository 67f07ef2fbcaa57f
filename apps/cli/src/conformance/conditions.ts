import { isTerminal, type Task } from '@tidemark/domain';

/** What a task is waited for to become. */
export type Condition = { readonly what: string; readonly isSo: (task: Task) => boolean };

export const inState = (state: Task['status']['state'], circumstance = ''): Condition => ({
  what: `${state}${circumstance}`,
  isSo: ({ status }) => status.state === state,
});

export const RUNNING = inState('working');
export const COMPLETED = inState('completed');
export const ENDED: Condition = { what: 'the end', isSo: ({ status }) => isTerminal(status.state) };

/** The agent has ticked so often. */
export const ticked = (count: number): Condition => ({
  what: `tick ${count}`,
  isSo: (task) => textsOf(task, 'ticks').length >= count,
});

/** The texts of an artifact's parts. */
export const textsOf = (task: Task, artifactId: string): unknown[] =>
  [...(task.artifacts.find((artifact) => artifact.artifactId === artifactId)?.parts ?? [])].map((part) =>
    'text' in part ? part.text : part,
  );

/** `tick 1` to `tick <count>`. */
export const ticks = (count: number): string[] => Array.from({ length: count }, (_, index) => `tick ${index + 1}`);

/** What the agent said last. */
export const wordsOf = ({ status }: Task): string =>
  (status.message?.parts ?? []).map((part) => ('text' in part ? part.text : '')).join('');
