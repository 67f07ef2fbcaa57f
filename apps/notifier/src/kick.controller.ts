import { Controller } from '@nestjs/common';
import { Ctx } from '@nestjs/microservices';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { ALL_KICKS, kickedBy } from '@tidemark/push';
import { Deliveries } from './deliveries';

/** The webhooks that have something to be told. */
@Controller()
export class KickController {
  constructor(private readonly deliveries: Deliveries) {}

  @JetStreamEvent(ALL_KICKS)
  async kicked(@Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = kickedBy(message.subject);
    if (!ref) throw new Poison('not the subject of a kick');
    await this.deliveries.deliver(ref);
  }
}
