import { commonSettings, integerSetting, keySettings, portSetting, webhookSettings } from '@tidemark/platform';
import { z } from 'zod';

export const settings = z.object({
  ...commonSettings,
  PORT: portSetting(8083),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .default('http://127.0.0.1:8080')
    .describe('Where clients reach the gateway: who has signed what webhooks get, and where large parts are'),
  ACK_WAIT_MS: integerSetting(500, 3_600_000, 30_000).describe(
    'Milliseconds after which what a crashed notifier held is delivered by another',
  ),
  CONCURRENCY: integerSetting(1, 10_000, 256).describe(
    'Webhooks that are called at once; one receiver gets a quarter of them at most',
  ),
  PUSH_TIMEOUT_MS: integerSetting(100, 120_000, 15_000).describe(
    'How long a receiver may take to answer, in milliseconds',
  ),
  PUSH_BACKOFF_MS: integerSetting(1, 3_600_000, 1_000).describe(
    'Longest pause before an event is sent a second time, in milliseconds; the limit doubles with each attempt',
  ),
  PUSH_BACKOFF_MAX_MS: integerSetting(1, 86_400_000, 900_000).describe(
    'Longest pause before any attempt, in milliseconds',
  ),
  PUSH_MAX_ATTEMPTS: integerSetting(1, 10_000, 300).describe(
    'How often the same event is sent before its webhook is parked',
  ),
  PUSH_GIVE_UP_AFTER_MS: integerSetting(0, 2_592_000_000, 86_400_000).describe(
    'How long a receiver may fail before its webhook is parked, in milliseconds',
  ),
  ...webhookSettings,
  ...keySettings,
});

export type NotifierConfig = Readonly<z.infer<typeof settings>>;
