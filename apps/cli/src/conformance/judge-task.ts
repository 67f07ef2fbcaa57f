import { evolve, isTerminal, type Task, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { CorruptEventError, decodeEvent, eventSubject, taskSubjects } from '@tidemark/event-log';
import { type Rule, violationsOf } from '@tidemark/executor-protocol';
import { type Finding, refusalOf } from './refusal';
import type { StoredMessage } from './stored-tasks';

const WORK: ReadonlySet<string> = new Set(['submitted', 'message', 'auth-decided']);

type Seen = {
  readonly ref: TaskRef;
  /** The task before the event, and the sequence of the event before it. */
  readonly task: Task | undefined;
  readonly sequence: number;
  /** Versions of the events that ask for a turn. */
  readonly work: ReadonlySet<number>;
  readonly stored: StoredMessage;
};

/** Reads the history of a task as a strict reader: what in it, not written by `ours`, breaks a rule. */
export function judgeTask(ref: TaskRef, history: readonly StoredMessage[], ours: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const work = new Set<number>();
  let task: Task | undefined;
  let sequence = 0;
  for (const stored of history) {
    const event = decoded(stored);
    if (typeof event === 'string') return [...findings, { rule: 'R6', reason: at(ref, stored, event) }];
    if (!ours.has(event.id)) findings.push(...judgeEvent({ ref, task, sequence, work, stored }, event));
    if (WORK.has(event.type)) work.add(event.version);
    task = evolve(task, event);
    sequence = stored.sequence;
  }
  return findings;
}

function judgeEvent(seen: Seen, event: TaskEvent): Finding[] {
  const found = (rule: Rule['id'], reason: string): Finding => ({ rule, reason: at(seen.ref, seen.stored, reason) });
  const versions = versionFault(seen, event);
  if (versions) return [found('R4', versions), ...headerFaults(seen).map((reason) => found('R5', reason))];
  return [
    ...headerFaults(seen).map((reason) => found('R5', reason)),
    ...shapeFaults(seen, event).map((reason) => found('R6', reason)),
    ...rulings(seen, event).map(({ rule, reason }) => found(rule, reason)),
  ];
}

function versionFault({ task }: Seen, { version }: TaskEvent): string | undefined {
  const wanted = (task?.version ?? 0) + 1;
  return version === wanted ? undefined : `its version is ${version}, and should be ${wanted}`;
}

function headerFaults({ ref, sequence, stored }: Seen): string[] {
  const { expectedSequence, expectedFilter } = stored;
  const filter = taskSubjects(ref);
  return [
    ...(expectedSequence === String(sequence)
      ? []
      : [`its expected sequence is ${expectedSequence ?? 'missing'}, and the event before it stands at ${sequence}`]),
    ...(expectedFilter === filter ? [] : [`its filter is ${expectedFilter ?? 'missing'}, and should be ${filter}`]),
  ];
}

function shapeFaults({ ref, stored }: Seen, event: TaskEvent): string[] {
  const subject = eventSubject(ref, event.type);
  const isExecutor = event.actor.kind === 'executor';
  return [
    ...violationsOf(event),
    ...(stored.subject === subject ? [] : [`its subject is ${stored.subject}, and should be ${subject}`]),
    ...(isExecutor ? [] : [`its actor is of the kind ${event.actor.kind}, and should be executor`]),
  ];
}

function rulings({ task, work }: Seen, event: TaskEvent): Finding[] {
  if (!task) return [{ rule: 'R6', reason: 'the task has not begun' }];
  if (isTerminal(task.status.state)) return [{ rule: 'R7', reason: `the task was ${task.status.state} already` }];
  if (event.type === 'working' && event.trigger !== undefined && !work.has(event.trigger))
    return [{ rule: 'R3', reason: `its trigger is ${event.trigger}, where nothing asks for a turn` }];
  const refusal = refusalOf(task, event);
  return refusal ? [refusal] : [];
}

function decoded({ data }: StoredMessage): TaskEvent | string {
  try {
    return decodeEvent(data);
  } catch (error) {
    if (error instanceof CorruptEventError) return error.message;
    throw error;
  }
}

const at = ({ taskId }: TaskRef, { subject, sequence }: StoredMessage, reason: string): string =>
  `task ${taskId}, ${subject.split('.').at(-1)} at ${sequence}: ${reason}`;
