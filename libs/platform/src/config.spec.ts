import { z } from 'zod';
import { commonSettings, ConfigError, parseConfig, portSetting } from './config';

const schema = z.object({ ...commonSettings, PORT: portSetting(8080) });

describe('parseConfig', () => {
  it('fills in what is not set, or empty', () => {
    expect(parseConfig(schema, { HOST: '', PATH: '/bin' })).toEqual({
      NATS_URL: 'nats://127.0.0.1:4222',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      STREAM_REPLICAS: 1,
      PORT: 8080,
    });
  });

  it('is frozen', () => {
    expect(Object.isFrozen(parseConfig(schema, {}))).toBe(true);
  });

  it('names each wrong variable and what would be right, and no value', () => {
    const wrong = () => parseConfig(schema, { NATS_URL: 'http://user:secret@host', PORT: 'abc' });
    expect(wrong).toThrow(ConfigError);
    expect(wrong).toThrow(/^NATS_URL: expected a URL such as .*; PORT: .*\(TCP port of the HTTP server\)$/);
    expect(wrong).not.toThrow(/secret/);
  });

  it('describes every setting', () => {
    for (const setting of Object.values(schema.shape)) expect(setting.description).toBeTruthy();
  });
});
