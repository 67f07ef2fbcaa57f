import { encodePageToken, endOf, type TaskPage, type TaskQuery, type TaskSummary } from '@tidemark/read-model';

/** Room that the rest of a reply takes of a message: packet, token, count. */
const OVERHEAD_BYTES = 4_096;

const sizeOf = (summary: TaskSummary): number => Buffer.byteLength(JSON.stringify(summary)) + 1;

/** As much of a page as one message holds; its token goes on after that. */
export function fittingPage(query: TaskQuery, page: TaskPage, maxPayloadBytes: number): TaskPage {
  const budget = maxPayloadBytes - OVERHEAD_BYTES;
  const tasks: TaskSummary[] = [];
  let size = 0;
  for (const task of page.tasks.map((summary) => withinBudget(summary, budget))) {
    size += sizeOf(task);
    if (size > budget) return { ...page, tasks, nextPageToken: encodePageToken(query, endOf(tasks.at(-1) ?? task)) };
    tasks.push(task);
  }
  return { ...page, tasks };
}

/** A status message that would fill more than a reply is left out; the task itself has it. */
function withinBudget(summary: TaskSummary, budget: number): TaskSummary {
  if (sizeOf(summary) <= budget) return summary;
  const { state, at } = summary.status;
  return { ...summary, status: { state, at } };
}
