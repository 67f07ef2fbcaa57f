import {
  commonSettings,
  integerSetting,
  keySettings,
  partSettings,
  portSetting,
  webhookSettings,
} from '@tidemark/platform';
import { hostname } from 'node:os';
import { z } from 'zod';
import {
  callerSettings,
  checkBearer,
  isAuthenticating,
  toAuthentication,
  toCallerLimits,
} from './callers/caller-settings';
import { cardSecurity } from './callers/card-security';
import type { Gateway } from './gateway';
import { grpcSettings, isTlsWhole, toGrpc } from './grpc/grpc-settings';

/** Every setting of the gateway. */
export const settings = z
  .object({
    ...commonSettings,
    PORT: portSetting(8080),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
      .optional()
      .describe('Where clients reach the gateway, as its agent cards say; http://HOST:PORT where it is not set'),
    ...grpcSettings,
    DEFAULT_AGENT: z.string().default('trip-planner').describe('Agent that is served at the root as well'),
    ALLOW_REMOTE_ANONYMOUS: z
      .stringbool()
      .default(false)
      .describe('Serve callers without credentials on an address that is not loopback: every caller sees every task'),
    STRICT_VERSION: z
      .stringbool()
      .default(false)
      .describe(
        'Take a request without A2A-Version for one of 0.3, and refuse one that is not in the version it names',
      ),
    ...callerSettings,
    IDEMPOTENCY: z
      .enum(['key', 'message-id'])
      .default('key')
      .describe('What makes a repeated SendMessage the same one: its Idempotency-Key, or its message id'),
    BLOCKING_TIMEOUT_MS: integerSetting(100, 3_600_000, 300_000).describe(
      'How long a blocking SendMessage waits before it answers the task as it is, in milliseconds',
    ),
    RESPOND_TIMEOUT_MS: integerSetting(100, 600_000, 60_000).describe(
      'How long an agent may take to answer a message, or to say that it makes a task of it, in milliseconds',
    ),
    CANCEL_GRACE_MS: integerSetting(0, 600_000, 5_000).describe(
      'How long an agent may go on after a cancel before the gateway ends the task, in milliseconds',
    ),
    KEEP_ALIVE_MS: integerSetting(100, 600_000, 15_000).describe(
      'Pause between keep-alive comments on a silent stream, and between pings on a gRPC connection, in milliseconds',
    ),
    STALL_TIMEOUT_MS: integerSetting(100, 3_600_000, 30_000).describe(
      'How long a client may leave a stream unread before it is cut, in milliseconds',
    ),
    MAX_BODY_BYTES: integerSetting(1_024, 67_108_864, 8_388_608).describe('Largest request body'),
    CORS_ORIGINS: z
      .string()
      .transform((text) => text.split(',').map((origin) => origin.trim()))
      .refine((origins) => origins.every(isOrigin), { error: 'expected origins such as https://app.example.com' })
      .optional()
      .describe('Origins whose pages may call the gateway from a browser, with commas between them'),
    ...partSettings,
    ...keySettings,
    ...webhookSettings,
    PUSH_CONFIGS_PER_TASK: integerSetting(1, 100, 10).describe('How many push notification configs a task may have'),
  })
  .superRefine(checkBearer)
  .refine((all) => all.ALLOW_REMOTE_ANONYMOUS || isAuthenticating(all) || isLoopback(all.HOST), {
    path: ['HOST'],
    error:
      'there is no authentication, so only a loopback address is served: set AUTH_ISSUER or API_KEYS_FILE, ' +
      'or ALLOW_REMOTE_ANONYMOUS=true where everyone may do everything',
  })
  .refine(isTlsWhole, { path: ['GRPC_TLS_KEY_FILE'], error: 'GRPC_TLS_CERT_FILE and this one are set together' });

export type Settings = Readonly<z.infer<typeof settings>>;

export const toGateway = (settings: Settings): Gateway => ({
  gatewayId: `${hostname()}-${process.pid}`,
  publicUrl:
    settings.PUBLIC_URL ??
    `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${settings.PORT}`,
  ...toGrpc(settings),
  defaultAgent: settings.DEFAULT_AGENT,
  versionRule: settings.STRICT_VERSION ? 'strict' : 'lenient',
  idempotency: settings.IDEMPOTENCY,
  blockingTimeoutMs: settings.BLOCKING_TIMEOUT_MS,
  respondTimeoutMs: settings.RESPOND_TIMEOUT_MS,
  cancelGraceMs: settings.CANCEL_GRACE_MS,
  keepAliveMs: settings.KEEP_ALIVE_MS,
  stallTimeoutMs: settings.STALL_TIMEOUT_MS,
  maxBodyBytes: settings.MAX_BODY_BYTES,
  inlinePartBytes: settings.INLINE_PART_BYTES,
  maxPartBytes: settings.MAX_PART_BYTES,
  authentication: toAuthentication(settings),
  callerLimits: toCallerLimits(settings),
  cardSecurity: cardSecurity(toAuthentication(settings)),
  webhookPolicy: { allowPrivate: settings.ALLOW_PRIVATE_WEBHOOKS, ports: settings.WEBHOOK_PORTS },
});

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
