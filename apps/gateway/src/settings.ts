import { commonSettings, keySettings, partSettings, portSetting, webhookSettings } from '@tidemark/platform';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Gateway } from './gateway';

const milliseconds = (min: number, max: number, byDefault: number) =>
  z.coerce.number().int().min(min).max(max).default(byDefault);

/** Every setting of the gateway. */
export const settings = z
  .object({
    ...commonSettings,
    PORT: portSetting(8080),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
      .optional()
      .describe('Where clients reach the gateway, as its agent cards say; http://HOST:PORT where it is not set'),
    DEFAULT_AGENT: z.string().default('trip-planner').describe('Agent that is served at the root as well'),
    ALLOW_REMOTE_ANONYMOUS: z
      .stringbool()
      .default(false)
      .describe('Serve callers without credentials on an address that is not loopback: every caller sees every task'),
    IDEMPOTENCY: z
      .enum(['key', 'message-id'])
      .default('key')
      .describe('What makes a repeated SendMessage the same one: its Idempotency-Key, or its message id'),
    BLOCKING_TIMEOUT_MS: milliseconds(100, 3_600_000, 300_000).describe(
      'How long a blocking SendMessage waits before it answers the task as it is, in milliseconds',
    ),
    RESPOND_TIMEOUT_MS: milliseconds(100, 600_000, 60_000).describe(
      'How long an agent may take to answer a message, or to say that it makes a task of it, in milliseconds',
    ),
    CANCEL_GRACE_MS: milliseconds(0, 600_000, 5_000).describe(
      'How long an agent may go on after a cancel before the gateway ends the task, in milliseconds',
    ),
    KEEP_ALIVE_MS: milliseconds(100, 600_000, 15_000).describe('Pause between keep-alive comments on a silent stream'),
    STALL_TIMEOUT_MS: milliseconds(100, 3_600_000, 30_000).describe(
      'How long a client may leave a stream unread before it is cut, in milliseconds',
    ),
    MAX_BODY_BYTES: z.coerce
      .number()
      .int()
      .min(1_024)
      .max(67_108_864)
      .default(8_388_608)
      .describe('Largest request body'),
    ...partSettings,
    ...keySettings,
    ...webhookSettings,
    PUSH_CONFIGS_PER_TASK: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe('How many push notification configs a task may have'),
  })
  .refine(({ HOST, ALLOW_REMOTE_ANONYMOUS }) => ALLOW_REMOTE_ANONYMOUS || isLoopback(HOST), {
    path: ['HOST'],
    error: 'there is no authentication, so only a loopback address is served unless ALLOW_REMOTE_ANONYMOUS is true',
  });

export type Settings = Readonly<z.infer<typeof settings>>;

export const toGateway = (settings: Settings): Gateway => ({
  gatewayId: `${hostname()}-${process.pid}`,
  publicUrl:
    settings.PUBLIC_URL ??
    `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${settings.PORT}`,
  defaultAgent: settings.DEFAULT_AGENT,
  idempotency: settings.IDEMPOTENCY,
  blockingTimeoutMs: settings.BLOCKING_TIMEOUT_MS,
  respondTimeoutMs: settings.RESPOND_TIMEOUT_MS,
  cancelGraceMs: settings.CANCEL_GRACE_MS,
  keepAliveMs: settings.KEEP_ALIVE_MS,
  stallTimeoutMs: settings.STALL_TIMEOUT_MS,
  maxBodyBytes: settings.MAX_BODY_BYTES,
  inlinePartBytes: settings.INLINE_PART_BYTES,
  maxPartBytes: settings.MAX_PART_BYTES,
  webhookPolicy: { allowPrivate: settings.ALLOW_PRIVATE_WEBHOOKS, ports: settings.WEBHOOK_PORTS },
});

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
