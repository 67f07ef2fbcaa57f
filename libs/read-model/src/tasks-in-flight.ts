/** Subject and pattern of requests for the tasks of a tenant that are in flight; whoever holds an index answers them. */
export const TASKS_IN_FLIGHT = 'tasks.in-flight';

export type TasksInFlightRequest = {
  readonly tenant: string;
  /** Sequence of an event that the answer has to know. */
  readonly atLeast?: number;
};

/** How many tasks of a tenant wait for an executor or are run, as all events up to the sequence `asOf` have it. */
export type TasksInFlight = { readonly tasks: number; readonly asOf: number };

/** `behind`: the index has not come to `atLeast` in time. */
export type TasksInFlightReply =
  | ({ readonly kind: 'count' } & TasksInFlight)
  | { readonly kind: 'refused'; readonly reason: 'behind' | 'invalid'; readonly message: string };
