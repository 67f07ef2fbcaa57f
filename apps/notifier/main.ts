import { parseConfig, run, startApp } from '@tidemark/platform';
import { AppModule } from './src/app.module';
import { attach } from './src/attach';
import { settings } from './src/settings';

void run('notifier', () => {
  const config = parseConfig(settings, process.env);
  return startApp(AppModule.with(config), { name: 'notifier', config, connect: (app) => attach(app, config) });
});
