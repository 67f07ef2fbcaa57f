import {
  decide,
  evolve,
  type Snapshot,
  START,
  type Task,
  type TaskCommand,
  type TaskEvent,
  type TaskRef,
} from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';
import { ConcurrencyError } from './errors';
import type { TaskLog } from './task-log';

const MAX_ATTEMPTS = 200;
const MAX_PAUSE_MS = 20;

/** The task after a command, and the event that the command caused, if any. */
export type Executed = Snapshot & { readonly event?: TaskEvent };

/**
 * The only write path: load, decide, append; again when another writer was faster. A caller that holds the
 * newest snapshot may hand it in and spare the load; a new task is expected not to be there.
 * @throws TaskError, EventTooLargeError, LogUnavailableError
 */
export async function execute(log: TaskLog, from: TaskRef | Snapshot, command: TaskCommand): Promise<Executed> {
  const ref = 'task' in from ? from.task : from;
  let current = 'task' in from ? from : command.type === 'SubmitTask' ? undefined : await log.load(ref);
  for (let attempt = 1; ; attempt++) {
    try {
      return await decideAndAppend(log, { ref, current }, command);
    } catch (error) {
      if (!(error instanceof ConcurrencyError) || attempt === MAX_ATTEMPTS) throw error;
    }
    if (attempt > 2) await delay(Math.random() * MAX_PAUSE_MS);
    current = await log.load(ref);
  }
}

type Known = { readonly ref: TaskRef; readonly current: Snapshot | undefined };

async function decideAndAppend(log: TaskLog, { ref, current }: Known, command: TaskCommand): Promise<Executed> {
  const event = decide(current?.task, command);
  if (!event) return current as Snapshot; // `decide` answers "nothing to do" about existing tasks only
  const position = await log.append(ref, event, current?.position ?? START);
  return { task: evolve(current?.task, event) as Task, position, event };
}
