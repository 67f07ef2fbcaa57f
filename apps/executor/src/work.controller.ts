import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { TaskEvent } from '@tidemark/domain';
import { taskOf } from '@tidemark/event-log';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { Turns } from './turns';

/** A new task, or a user's further message: both ask for a turn. */
@Controller()
export class WorkController {
  constructor(private readonly turns: Turns) {}

  @JetStreamEvent('task.*.*.*.submitted', 'task.*.*.*.message')
  async work(@Payload() event: TaskEvent, @Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = taskOf(message.subject);
    if (!ref) throw new Poison('not the subject of a task');
    await this.turns.take(ref, event);
  }
}
