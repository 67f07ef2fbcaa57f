import { Controller } from '@nestjs/common';
import { ALL_EVENTS } from '@tidemark/event-log';
import { JetStreamEvent } from '@tidemark/platform';

@Controller()
export class EventController {
  /** Returning acknowledges: no webhook can be registered, so there is nobody to tell. */
  @JetStreamEvent(ALL_EVENTS)
  passed(): void {}
}
