import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { evolve, type Snapshot, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { taskOf, workSubjects } from '@tidemark/event-log';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { Turns } from './turns';

/** A new task, a user's further message, or a decision about a pause: each asks for a turn. */
@Controller()
export class WorkController {
  constructor(private readonly turns: Turns) {}

  @JetStreamEvent(...workSubjects('*'))
  async work(@Payload() event: TaskEvent, @Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = taskOf(message.subject);
    if (!ref) throw new Poison('not the subject of a task');
    const { version, trace } = event;
    const { deliveryCount, seq } = message;
    const snapshot = deliveryCount === 1 ? newTask(ref, event, seq) : undefined;
    await this.turns.take(ref, { version, trace, deliveryCount, snapshot });
  }
}

/** The event that makes a task is all there is to know of it, until somebody else is faster. */
function newTask(ref: TaskRef, event: TaskEvent, sequence: number): Snapshot | undefined {
  if (event.type !== 'submitted' || event.version !== 1) return undefined;
  const task = evolve(undefined, event);
  const isIt = task?.taskId === ref.taskId && task.agent === ref.agent && task.tenant === ref.tenant;
  return isIt ? { task, position: { version: 1, sequence } } : undefined;
}
