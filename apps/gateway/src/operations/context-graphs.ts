import type { TaskLog } from '@tidemark/event-log';
import { type ContextGraphResponse, toContextGraphResponse } from '@tidemark/protocol';
import type { ContextGraphClient } from '@tidemark/read-model';
import type { Caller } from '../callers/caller';

/** GetContextGraph, of an extension: a context has one graph, whichever agent is asked for it. */
export class ContextGraphs {
  constructor(
    private readonly log: TaskLog,
    private readonly index: ContextGraphClient,
  ) {}

  /**
   * The caller's part of a context, with all that was written before the call, through whatever gateway.
   * @throws TaskIndexBehindError, TaskIndexUnavailableError, LogUnavailableError
   */
  async get({ tenant, principal }: Caller, contextId: string): Promise<ContextGraphResponse> {
    const atLeast = await this.log.lastSequence();
    return toContextGraphResponse(contextId, await this.index.graph({ tenant, owner: principal, contextId }, atLeast));
  }
}
