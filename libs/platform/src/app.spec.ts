import { Module } from '@nestjs/common';
import { startNats, type TestNats } from '@tidemark/testing';
import { startApp } from './app';
import { Readiness } from './health';
import { createLogger } from './logger';
import { connectNats } from './nats';
import { PlatformModule } from './platform.module';

@Module({})
class EmptyModule {}

describe('an app', () => {
  let nats: TestNats;
  let app: Awaited<ReturnType<typeof startApp>>;

  beforeAll(async () => {
    nats = await startNats();
    const config = { NATS_URL: nats.url, HOST: '127.0.0.1', PORT: 0, LOG_LEVEL: 'silent', STREAM_REPLICAS: 1 } as const;
    const module = { module: EmptyModule, imports: [PlatformModule.with({ name: 'empty', config })] };
    app = await startApp(module, { name: 'empty', config });
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
  });

  const get = async (path: string) => {
    const response = await fetch(`${await app.getUrl()}${path}`);
    return { status: response.status, body: await response.json() };
  };

  it('is alive, and ready while its checks pass', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  it('says which check fails', async () => {
    app.get(Readiness).add('index', () => Promise.reject(new Error('10 events behind')));
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', failing: { index: '10 events behind' } },
    });
    app.get(Readiness).add('index', () => undefined);
  });

  it('stays alive without a broker, but is not ready', async () => {
    await nats.kill();
    expect((await get('/healthz')).status).toBe(200);
    const { status, body } = await get('/readyz');
    expect({ status, failing: (body as { failing: object }).failing }).toEqual({
      status: 503,
      failing: { broker: expect.any(String) as string },
    });
    await nats.start();
  });

  it('waits a while for a broker, and then says where it looked, without the password', async () => {
    const logger = createLogger('test', 'silent');
    const said = jest.spyOn(logger, 'warn');
    const connecting = connectNats({ NATS_URL: 'nats://me:secret@127.0.0.1:1' }, { name: 'test', logger, waitMs: 300 });
    await expect(connecting).rejects.toThrow('No broker answers at nats://127.0.0.1:1: start one, or set NATS_URL');
    expect(said.mock.calls).toEqual([['waiting for the broker at nats://127.0.0.1:1']]);
  });
});
