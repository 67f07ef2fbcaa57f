import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { TaskEvent } from '@tidemark/domain';
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
    await this.turns.take(ref, event);
  }
}
