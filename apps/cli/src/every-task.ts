import type { NatsConnection } from '@nats-io/nats-core';
import { evolve, isTerminal, type Snapshot } from '@tidemark/domain';
import { type LogEntry, type LogState, readLog } from '@tidemark/event-log';

/**
 * Every task of the log in its newest state, folded from its events alone: finished ones in the order in which they
 * ended, then those that are under way. Only the latter are held in memory. Tasks whose first events are not kept
 * are left out.
 * @throws LogReplacedError
 */
export async function* everyTask(nc: NatsConnection, log: LogState, signal: AbortSignal): AsyncIterable<Snapshot> {
  const underWay = new Map<string, Snapshot>();
  if (log.lastSequence === 0) return;
  for await (const entry of readLog(nc, { after: 0, incarnation: log.incarnation }, signal)) {
    const ended = step(underWay, entry);
    if (ended) yield ended;
    if (entry.sequence >= log.lastSequence) break;
  }
  yield* underWay.values();
}

/** The task that an event has ended. */
function step(underWay: Map<string, Snapshot>, entry: LogEntry): Snapshot | undefined {
  if (entry.kind !== 'event') return undefined;
  const { ref, recorded } = entry;
  const key = `${ref.tenant}.${ref.agent}.${ref.taskId}`;
  const task = evolve(underWay.get(key)?.task, recorded.event);
  if (!task) return undefined;
  const snapshot = { task, position: recorded.position };
  if (!isTerminal(task.status.state)) {
    underWay.set(key, snapshot);
    return undefined;
  }
  underWay.delete(key);
  return snapshot;
}
