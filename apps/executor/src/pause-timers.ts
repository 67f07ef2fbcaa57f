import type { AgentLimits } from '@tidemark/agent';
import type { Task } from '@tidemark/domain';
import type { SetTimer } from '@tidemark/event-log';

/** Before a turn ends with a pause: when the user is reminded of it, and when it has lasted too long. */
export async function setPauseTimers(setTimer: SetTimer, task: Task, limits: AgentLimits = {}): Promise<void> {
  const { pauseTimeoutMs, reminderMs: everyMs } = limits;
  const turn = task.turn?.number ?? 0;
  if (pauseTimeoutMs !== undefined) await setTimer(task, { kind: 'pause', turn }, after(pauseTimeoutMs));
  if (everyMs !== undefined) await setTimer(task, { kind: 'reminder', turn, count: 1, everyMs }, after(everyMs));
}

const after = (ms: number): Date => new Date(Date.now() + ms);
