import { commonSettings, keySettings, portSetting } from '@tidemark/platform';
import { z } from 'zod';

export const settings = z.object({
  ...commonSettings,
  PORT: portSetting(8083),
  ACK_WAIT_MS: z.coerce
    .number()
    .int()
    .min(500)
    .max(3_600_000)
    .default(30_000)
    .describe('Milliseconds after which an event that a crashed notifier held is delivered to another'),
  ...keySettings,
  CONCURRENCY: z.coerce.number().int().min(1).default(256).describe('Events that are worked on at once'),
});

export type NotifierConfig = Readonly<z.infer<typeof settings>>;
