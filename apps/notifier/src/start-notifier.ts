import { startApp } from '@tidemark/platform';
import { AppModule } from './app.module';
import { attach } from './attach';
import type { NotifierConfig } from './settings';

/** The whole app, until it is closed. */
export const startNotifier = (config: NotifierConfig): ReturnType<typeof startApp> =>
  startApp(AppModule.with(config), { name: 'notifier', config, connect: (app) => attach(app, config) });
