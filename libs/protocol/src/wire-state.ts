import type { TaskState } from '@tidemark/domain';

/** The states as enum values of the protocol: name and number (A2A 1.0.1, section 4.1.3). */
export const STATE_NUMBERS = {
  TASK_STATE_UNSPECIFIED: 0,
  TASK_STATE_SUBMITTED: 1,
  TASK_STATE_WORKING: 2,
  TASK_STATE_COMPLETED: 3,
  TASK_STATE_FAILED: 4,
  TASK_STATE_CANCELED: 5,
  TASK_STATE_INPUT_REQUIRED: 6,
  TASK_STATE_REJECTED: 7,
  TASK_STATE_AUTH_REQUIRED: 8,
} as const;

export type WireState = Exclude<keyof typeof STATE_NUMBERS, 'TASK_STATE_UNSPECIFIED'>;

export const WIRE_STATES: Readonly<Record<TaskState, WireState>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
};

const DOMAIN_STATES = new Map(Object.entries(WIRE_STATES).map(([state, wire]) => [wire, state as TaskState]));

/** Undefined for the unspecified state. */
export const toTaskState = (state: keyof typeof STATE_NUMBERS): TaskState | undefined =>
  state === 'TASK_STATE_UNSPECIFIED' ? undefined : DOMAIN_STATES.get(state);
