import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ALL_DUE, taskOf, type Timer } from '@tidemark/event-log';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { DueTimers } from './due-timers';

/** Deadlines, pauses and reminders whose time has come. All gateways share them. */
@Controller()
export class DueController {
  constructor(private readonly timers: DueTimers) {}

  @JetStreamEvent(ALL_DUE)
  async due(@Payload() timer: Timer, @Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = taskOf(message.subject);
    if (!ref) throw new Poison('not the subject of a timer');
    await this.timers.take(ref, timer);
  }
}
