import { Controller } from '@nestjs/common';
import { Ctx } from '@nestjs/microservices';
import { ALL_EVENTS, taskOf } from '@tidemark/event-log';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { Kicks } from './kicks';

/** Every event of every task. What a receiver does takes no time here. */
@Controller()
export class EventController {
  constructor(private readonly kicks: Kicks) {}

  @JetStreamEvent(ALL_EVENTS)
  async passed(@Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = taskOf(message.subject);
    if (!ref) throw new Poison('not the subject of an event');
    await this.kicks.eventOf(ref);
  }
}
