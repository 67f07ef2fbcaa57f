import { Grown, type Task } from '@tidemark/domain';
import { CorruptEventError, HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';
import { type LinkTo, type ListTasksRequest, type ListTasksResponse, toListTasksResponse } from '@tidemark/protocol';
import type { TaskListClient, TaskSummary } from '@tidemark/read-model';
import type { Scope } from '../callers/caller';

/** ListTasks (A2A 1.0.1, section 3.1.4): the projector knows which tasks; the log knows what is in them. */
export class TaskLists {
  constructor(
    private readonly log: TaskLog,
    private readonly index: TaskListClient,
    private readonly linkTo: LinkTo,
  ) {}

  /**
   * One page, which shows all that was written before the call, through whatever gateway.
   * @throws PageTokenError, TaskIndexBehindError, TaskIndexUnavailableError, LogUnavailableError
   */
  async list({ tenant, agent, principal }: Scope, request: ListTasksRequest): Promise<ListTasksResponse> {
    const { contextId, status: state, statusTimestampAfter, pageSize, pageToken } = request;
    const query = { tenant, agent, owner: principal, contextId, state, statusTimestampAfter, pageSize, pageToken };
    const page = await this.index.list(query, await this.log.lastSequence());
    const isWhole = request.includeArtifacts || (request.historyLength ?? 0) > 0;
    const tasks = isWhole ? await Promise.all(page.tasks.map((summary) => this.#whole(summary))) : page.tasks.map(bare);
    return toListTasksResponse({ ...page, tasks }, request, this.linkTo);
  }

  async #whole(summary: TaskSummary): Promise<Task> {
    try {
      return (await this.log.load(summary))?.task ?? bare(summary);
    } catch (error) {
      // One task whose events cannot be read does not hide the others.
      if (error instanceof CorruptEventError || error instanceof HistoryTrimmedError) return bare(summary);
      throw error;
    }
  }
}

/** What a list shows of a task unless it is asked for more. */
const bare = (summary: TaskSummary): Task => ({
  ...summary,
  history: Grown.of(),
  artifacts: [],
  lastMessage: 0,
  cancelRequested: false,
  version: 0,
});
