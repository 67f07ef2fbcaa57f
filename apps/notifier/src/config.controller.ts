import { Controller } from '@nestjs/common';
import { Ctx } from '@nestjs/microservices';
import { JetStreamContext, JetStreamEvent, Poison } from '@tidemark/platform';
import { ALL_PUSH_CONFIGS, configOf } from '@tidemark/push';
import { Kicks } from './kicks';

/** Every config that is put or deleted: a new one may have a whole story to come, and one that is gone leaves nothing. */
@Controller()
export class ConfigController {
  constructor(private readonly kicks: Kicks) {}

  @JetStreamEvent(ALL_PUSH_CONFIGS)
  async changed(@Ctx() { message }: JetStreamContext): Promise<void> {
    const ref = configOf(message.subject);
    if (!ref) throw new Poison('not the subject of a config');
    await this.kicks.changed(ref);
  }
}
