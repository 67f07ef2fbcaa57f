import type { JsonObject, TaskState } from '@tidemark/domain';
import { defined } from './defined';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { bool, enumeration, id, int32, optionalId, optionalText, protoMessage, struct, timestamp } from './proto-json';
import { STATE_NUMBERS, toTaskState } from './wire-state';

export type GetTaskRequest = {
  readonly id: string;
  /** Unset for all. */
  readonly historyLength?: number;
  readonly tenant?: string;
};

export type ListTasksRequest = {
  readonly contextId?: string;
  readonly status?: TaskState;
  /** Inclusive, despite its name: tasks whose status is of this time or later. ISO 8601, UTC, milliseconds. */
  readonly statusTimestampAfter?: string;
  /** 1 to 100. */
  readonly pageSize: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  readonly includeArtifacts: boolean;
  readonly tenant?: string;
};

export type CancelTaskRequest = { readonly id: string; readonly metadata?: JsonObject; readonly tenant?: string };

/** `metadata` is not of the protocol: it carries the cursor of the replay extension. */
export type SubscribeToTaskRequest = { readonly id: string; readonly metadata?: JsonObject; readonly tenant?: string };

export type GetExtendedAgentCardRequest = { readonly tenant?: string };

const tenant = optionalId();
const getTask = protoMessage({ id: id(), historyLength: int32(0).optional(), tenant });
const onTask = protoMessage({ id: id(), metadata: struct().optional(), tenant });
const extendedCard = protoMessage({ tenant });

const listTasks = protoMessage({
  contextId: optionalId(),
  status: enumeration(STATE_NUMBERS).optional(),
  statusTimestampAfter: timestamp().optional(),
  pageSize: int32(1, LIMITS.pageSize).optional(),
  pageToken: optionalText(),
  historyLength: int32(0).optional(),
  includeArtifacts: bool().optional(),
  tenant,
}).transform(toListTasksRequest);

/** A2A 1.0.1, section 3.1.3. Throws InvalidParamsError. */
export const parseGetTask = (params: unknown): GetTaskRequest => defined(parseParams(getTask, params));

/** A2A 1.0.1, section 3.1.4. Throws InvalidParamsError. */
export const parseListTasks = (params: unknown): ListTasksRequest => parseParams(listTasks, params);

/** A2A 1.0.1, section 3.1.5. Throws InvalidParamsError. */
export const parseCancelTask = (params: unknown): CancelTaskRequest => defined(parseParams(onTask, params));

/** A2A 1.0.1, section 3.1.6. Throws InvalidParamsError. */
export const parseSubscribeToTask = (params: unknown): SubscribeToTaskRequest => defined(parseParams(onTask, params));

/** A2A 1.0.1, section 3.1.11. Throws InvalidParamsError. */
export const parseGetExtendedAgentCard = (params: unknown): GetExtendedAgentCardRequest =>
  defined(parseParams(extendedCard, params));

type ListFields = Partial<Omit<ListTasksRequest, 'status'>> & { readonly status?: keyof typeof STATE_NUMBERS };

function toListTasksRequest({ status, pageSize, includeArtifacts = false, ...rest }: ListFields): ListTasksRequest {
  const state = status && toTaskState(status);
  return defined({ ...rest, status: state, pageSize: pageSize ?? LIMITS.defaultPageSize, includeArtifacts });
}
