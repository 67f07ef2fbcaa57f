import {
  isPaused,
  isTerminal,
  type Task,
  type TaskCommand,
  TaskError,
  type TaskRef,
  type Unwished,
} from '@tidemark/domain';
import { execute, newWish, type SetTimer, type TaskLog, type Timer } from '@tidemark/event-log';

/** What a timer makes of its task when it is due. Doing so twice, or late, is harmless. */
export class DueTimers {
  constructor(
    private readonly log: TaskLog,
    private readonly setTimer: SetTimer,
    private readonly gatewayId: string,
  ) {}

  /** @throws LogUnavailableError where it has to be tried again. */
  async take(ref: TaskRef, timer: Timer): Promise<void> {
    const task = await this.#execute(ref, timer);
    if (task) await this.#setAgain(task, timer);
  }

  /** Undefined where there is no such task: it was never submitted, or is no longer kept. */
  async #execute(ref: TaskRef, timer: Timer): Promise<Task | undefined> {
    const actor = { kind: 'gateway', id: this.gatewayId } as const;
    try {
      return (await execute(this.log, ref, { ...newWish(actor), ...toCommand(timer) })).task;
    } catch (error) {
      if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async #setAgain(task: Task, timer: Timer): Promise<void> {
    switch (timer.kind) {
      case 'deadline':
        // The timer of a call that was retried is the first call's, and the task that of a later one.
        if (task.deadline === undefined || isTerminal(task.status.state)) return;
        return this.setTimer(task, { ...timer, deadline: task.deadline }, new Date(task.deadline));
      case 'reminder': {
        if (!isPaused(task) || task.turn?.number !== timer.turn) return;
        const next = { ...timer, count: timer.count + 1 };
        return this.setTimer(task, next, new Date(Date.now() + timer.everyMs));
      }
      case 'pause':
    }
  }
}

type Due = Extract<TaskCommand, { type: 'ExpireTask' | 'ExpirePause' | 'Remind' }>;

function toCommand(timer: Timer): Unwished<Due> {
  switch (timer.kind) {
    case 'deadline':
      return { type: 'ExpireTask', deadline: timer.deadline };
    case 'pause':
      return { type: 'ExpirePause', turn: timer.turn };
    case 'reminder':
      return { type: 'Remind', turn: timer.turn, count: timer.count };
  }
}
