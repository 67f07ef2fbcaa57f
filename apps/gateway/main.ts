import { parseConfig, run, startApp } from '@tidemark/platform';
import { AppModule } from './src/app.module';
import { HttpErrorFilter } from './src/http-error.filter';
import { takeRawBodies } from './src/raw-body';
import { settings } from './src/settings';

void run('gateway', () => {
  const config = parseConfig(settings, process.env);
  return startApp(AppModule.with(config), {
    name: 'gateway',
    config,
    connect: (app) => {
      takeRawBodies(app, config.MAX_BODY_BYTES);
      app.useGlobalFilters(new HttpErrorFilter(config.MAX_BODY_BYTES));
    },
  });
});
