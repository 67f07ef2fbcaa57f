import { decide, type Report, type Task, type TaskCommand, TaskError, type TaskEvent } from '@tidemark/domain';
import type { Rule } from '@tidemark/executor-protocol';
import { isDeepStrictEqual } from 'node:util';

/** What a stored event shows of a rule that was not kept. */
export type Finding = { readonly rule: Rule['id']; readonly reason: string };

type TurnCommand = Extract<TaskCommand, { type: 'CancelNow' | 'StartTurn' | 'ReportFromTurn' }>;
type Fields = Readonly<Record<string, unknown>>;

/** Whether a turn was one attempt too many is another question. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Members that an event has besides what the agent has said. */
const NOT_SAID: ReadonlySet<string> = new Set(['v', 'id', 'version', 'at', 'actor', 'trace', 'turn', 'seen']);

/** Why the rules of the domain would not have written this event about this task; undefined where they would. */
export function refusalOf(task: Task, event: TaskEvent): Finding | undefined {
  const command = commandOf(event);
  if (!command) return { rule: 'R6', reason: `an executor does not write ${event.type}` };
  if (command.type === 'CancelNow' && !task.cancelRequested)
    return { rule: 'R14', reason: 'nobody asked for a cancel' };
  try {
    return difference(task, decide(task, command), event);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return { rule: ruleOf(task, command), reason: error.message };
  }
}

/** The command of which the event would be the effect; undefined where an executor has none for it. */
function commandOf(event: TaskEvent): TurnCommand | undefined {
  const { id, at, actor, trace } = event;
  const wish = { id, at, actor, ...(trace !== undefined && { trace }) };
  if (event.type === 'canceled') return { ...wish, type: 'CancelNow' };
  if (event.type === 'working' && event.trigger !== undefined)
    return { ...wish, type: 'StartTurn', trigger: event.trigger, maxAttempts: NO_LIMIT };
  if (!isReport(event)) return undefined;
  const seen = 'seen' in event ? event.seen : 0;
  const report = Object.fromEntries(Object.entries(event).filter(([name]) => !NOT_SAID.has(name))) as Report;
  return { ...wish, type: 'ReportFromTurn', turn: event.turn, seen, report };
}

const isReport = (event: TaskEvent): event is Extract<TaskEvent, { type: Report['type'] }> =>
  'turn' in event && event.type !== 'reminded';

function difference(task: Task, wanted: TaskEvent | undefined, found: TaskEvent): Finding | undefined {
  if (!wanted) return { rule: 'R3', reason: 'no turn was due' };
  if (wanted.type !== found.type) return { rule: 'R15', reason: `a cancel was asked for: ${wanted.type} is due` };
  const fields = found as unknown as Fields;
  const wrong = Object.entries(wanted as unknown as Fields).find(
    ([name, value]) => !isDeepStrictEqual(plain(value), plain(fields[name])),
  );
  if (!wrong) return undefined;
  const [name, value] = wrong;
  const rule = task.status.state !== 'working' && name === 'turn' ? 'R3' : 'R6';
  return { rule, reason: `its ${name} is ${JSON.stringify(fields[name])}, and should be ${JSON.stringify(value)}` };
}

/** The rule that stands behind a refusal of the domain. */
function ruleOf({ status, turn }: Task, command: TurnCommand): Rule['id'] {
  if (command.type !== 'ReportFromTurn' || !turn) return 'R3';
  if (turn.number !== command.turn) return 'R22';
  return status.state === 'submitted' ? 'R3' : 'R10';
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
