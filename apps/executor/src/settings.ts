import { commonSettings, partSettings, portSetting } from '@tidemark/platform';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Every setting of the executor. */
export const settings = z.object({
  ...commonSettings,
  PORT: portSetting(8081),
  EXECUTOR_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'expected 1 to 128 of A-Z a-z 0-9 _ . -')
    .default(() => `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`)
    .describe('Name under which this executor writes events; must differ between executors'),
  AGENTS: z
    .string()
    .optional()
    .transform((text) => (text === undefined ? undefined : names(text)))
    .describe('Agents that this executor hosts, with commas between them; all that it knows where it is not set'),
  AGENT_MODULES: z
    .string()
    .default('')
    .transform(names)
    .describe('Modules with agents of yours, with commas between them: paths or package names'),
  SAMPLE_AGENTS: z
    .stringbool()
    .default(true)
    .describe('Whether this executor knows the agents that come with Tidemark: trip-planner, echo and ticker'),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe('Turns that run at once, and besides them as many answers to messages without a task'),
  ACK_WAIT_MS: z.coerce
    .number()
    .int()
    .min(500)
    .max(3_600_000)
    .default(30_000)
    .describe('How long the work of an executor that gives no sign of life stays with it, in milliseconds'),
  MAX_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('How often the same work is tried before its task fails, whether the executor dies or the agent throws'),
  RETRY_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300_000)
    .default(1_000)
    .describe('Pause before the second attempt, in milliseconds; each further one is twice as long, up to 5 minutes'),
  COALESCE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(50)
    .describe('How long pieces of a growing text are put together before they are stored, in milliseconds'),
  COALESCE_LENGTH: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_536)
    .default(4_096)
    .describe('Length from which a growing text is stored without waiting, in characters'),
  CANCEL_GRACE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(5_000)
    .describe('How long an agent may go on after a cancel, in milliseconds'),
  ...partSettings,
});

export type Settings = Readonly<z.infer<typeof settings>>;
