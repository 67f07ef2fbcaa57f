import { type DynamicModule, Module } from '@nestjs/common';
import { PlatformModule } from '@tidemark/platform';
import { EventController } from './event.controller';
import type { NotifierConfig } from './settings';

/** Follows the log for whoever has registered a webhook. */
@Module({})
export class AppModule {
  static with(config: NotifierConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'notifier', config })],
      controllers: [EventController],
    };
  }
}
