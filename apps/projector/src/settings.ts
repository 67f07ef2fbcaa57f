import { commonSettings, portSetting } from '@tidemark/platform';
import { z } from 'zod';

export const settings = z.object({
  ...commonSettings,
  PORT: portSetting(8082),
  INDEX_PATH: z
    .string()
    .default('.tidemark/index.db')
    .describe('File of the task index; it may be deleted, and is then made again from the log'),
});

export type ProjectorConfig = Readonly<z.infer<typeof settings>>;
