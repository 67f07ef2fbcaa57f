import { startApp } from '@tidemark/platform';
import { AppModule } from './app.module';
import { attach } from './attach';
import { LeftOvers } from './left-overs';
import type { NotifierConfig } from './settings';

/** The whole app, until it is closed. */
export async function startNotifier(config: NotifierConfig): ReturnType<typeof startApp> {
  const app = await startApp(AppModule.with(config), {
    ...{ name: 'notifier', config },
    connect: (started) => attach(started, config),
  });
  void app.get(LeftOvers).watch();
  return app;
}
