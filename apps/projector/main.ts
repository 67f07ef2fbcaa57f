import { natsRpc, parseConfig, run, startApp } from '@tidemark/platform';
import { AppModule, QUEUE } from './src/app.module';
import { Projector } from './src/projector';
import { settings } from './src/settings';

void run('projector', async () => {
  const config = parseConfig(settings, process.env);
  await startApp(AppModule.with(config), {
    name: 'projector',
    config,
    connect: (app) => void app.connectMicroservice(natsRpc(config, QUEUE)),
    warmUp: (app) => app.get(Projector).caughtUp(),
  });
});
