import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import {
  CONTEXT_GRAPH,
  type ContextGraphReply,
  type ContextGraphRequest,
  PageTokenError,
  TASK_LIST,
  type TaskListReply,
  type TaskListRequest,
  TASKS_IN_FLIGHT,
  type TasksInFlightReply,
  type TasksInFlightRequest,
} from '@tidemark/read-model';
import { z } from 'zod';
import { fittingGraph } from './fitting-graph';
import { fittingPage } from './fitting-page';
import { LiveIndex } from './live-index';

/** Token of the largest message that the broker takes, in bytes. */
export const MAX_PAYLOAD_BYTES = Symbol('MAX_PAYLOAD_BYTES');

const BEHIND_MS = 2_000;
const MAX_PAGE_SIZE = 1_000;

const STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;

const atLeast = z.int().min(0).exactOptional();

const listRequest: z.ZodType<TaskListRequest> = z.object({
  query: z.object({
    tenant: z.string(),
    agent: z.string(),
    owner: z.string(),
    contextId: z.string().exactOptional(),
    state: z.enum(STATES).exactOptional(),
    statusTimestampAfter: z.string().exactOptional(),
    pageSize: z.int().min(1).max(MAX_PAGE_SIZE),
    pageToken: z.string().exactOptional(),
  }),
  atLeast,
});

const graphRequest: z.ZodType<ContextGraphRequest> = z.object({
  scope: z.object({ tenant: z.string(), owner: z.string(), contextId: z.string() }),
  atLeast,
});

const inFlightRequest: z.ZodType<TasksInFlightRequest> = z.object({ tenant: z.string(), atLeast });

/** Answers requests from the index of this replica. */
@Controller()
export class TaskIndexController {
  constructor(
    private readonly index: LiveIndex,
    @Inject(MAX_PAYLOAD_BYTES) private readonly maxPayloadBytes: number,
  ) {}

  @MessagePattern(TASK_LIST, Transport.NATS)
  async list(@Payload() data: unknown): Promise<TaskListReply> {
    const parsed = listRequest.safeParse(data);
    if (!parsed.success) return invalid(parsed.error);
    const { query, atLeast = 0 } = parsed.data;
    if (!(await this.index.hasReached(atLeast, BEHIND_MS))) return behind(atLeast);
    try {
      return { kind: 'page', page: fittingPage(query, await this.index.list(query), this.maxPayloadBytes) };
    } catch (error) {
      if (!(error instanceof PageTokenError)) throw error;
      return { kind: 'refused', reason: 'page-token', message: error.message };
    }
  }

  @MessagePattern(CONTEXT_GRAPH, Transport.NATS)
  async graph(@Payload() data: unknown): Promise<ContextGraphReply> {
    const parsed = graphRequest.safeParse(data);
    if (!parsed.success) return invalid(parsed.error);
    const { scope, atLeast = 0 } = parsed.data;
    if (!(await this.index.hasReached(atLeast, BEHIND_MS))) return behind(atLeast);
    return { kind: 'graph', graph: await fittingGraph(this.index, scope, this.maxPayloadBytes) };
  }

  @MessagePattern(TASKS_IN_FLIGHT, Transport.NATS)
  async inFlight(@Payload() data: unknown): Promise<TasksInFlightReply> {
    const parsed = inFlightRequest.safeParse(data);
    if (!parsed.success) return invalid(parsed.error);
    const { tenant, atLeast = 0 } = parsed.data;
    if (!(await this.index.hasReached(atLeast, BEHIND_MS))) return behind(atLeast);
    return { kind: 'count', ...(await this.index.inFlight(tenant)) };
  }
}

const invalid = (error: z.ZodError) =>
  ({ kind: 'refused', reason: 'invalid', message: z.prettifyError(error) }) as const;

const behind = (sequence: number) =>
  ({ kind: 'refused', reason: 'behind', message: `The index has not come to event ${sequence} yet` }) as const;
