import { z } from 'zod';

/** A process cannot start: its environment is wrong. Final: a person has to act. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What a setting names cannot be used: `load(path).catch(refusing('KEYS_FILE'))`. @throws ConfigError */
export const refusing =
  (setting: string) =>
  (cause: Error): never => {
    throw new ConfigError(`${setting}: ${cause.message}`, { cause });
  };

/** Settings of every app; each adds its own to this shape: `z.object({ ...commonSettings, PORT: portSetting(8080) })`. */
export const commonSettings = {
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\/\S+$/, 'expected a URL such as nats://127.0.0.1:4222')
    .default('nats://127.0.0.1:4222')
    .describe('URL of the broker, or several with commas between them'),
  HOST: z.string().default('127.0.0.1').describe('Address that the HTTP server binds'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log lines that are written'),
  STREAM_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('Copies of each stream and bucket that the broker keeps: 1, or 3 on a cluster'),
};

/** Where the content of parts is kept: settings of whatever app appends them. */
export const partSettings = {
  INLINE_PART_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(8_388_608)
    .default(65_536)
    .describe('Largest part that is kept in its event, as JSON; the content of larger ones is stored beside the log'),
  MAX_PART_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(268_435_456)
    .default(67_108_864)
    .describe('Largest content that a part may have'),
};

/** What a deployment signs with: a setting of the apps that sign, or that keep secrets. */
export const keySettings = {
  KEYS_FILE: z
    .string()
    .optional()
    .describe('File with the keys of this deployment, as `tidemark keys create` writes it; nothing is signed without'),
};

const PORTS = 'expected ports from 1 to 65535 with commas between them';

/** Where webhooks may be: settings of the app that takes their URLs, and of the one that calls them. */
export const webhookSettings = {
  ALLOW_PRIVATE_WEBHOOKS: z
    .stringbool()
    .default(false)
    .describe('Call webhooks by http, on any port, and in networks that are not public: for development'),
  WEBHOOK_PORTS: z
    .string()
    .regex(/^\d+(\s*,\s*\d+)*$/, PORTS)
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number().min(1, PORTS).max(65_535, PORTS)))
    .default([443, 8443])
    .describe('Ports that webhooks may have, with commas between them'),
};

export type WebhookConfig = z.infer<z.ZodObject<typeof webhookSettings>>;

export type CommonConfig = z.infer<z.ZodObject<typeof commonSettings>>;

/** What the HTTP side of every app needs. */
export type AppConfig = CommonConfig & {
  readonly PORT: number;
  /** Proxies whose X-Forwarded-For says where a request comes from. */
  readonly TRUSTED_PROXIES?: readonly string[] | undefined;
};

/** A whole number within bounds. */
export const integerSetting = (min: number, max: number, byDefault: number) =>
  z.coerce.number().int().min(min).max(max).default(byDefault);

/** 0 lets the system choose a free port. */
export const portSetting = (port: number) => integerSetting(0, 65_535, port).describe('TCP port of the HTTP server');

/**
 * The environment as a frozen configuration. An empty variable counts as one that is not set.
 * @throws ConfigError naming each wrong variable and what would be right, never its value.
 */
export function parseConfig<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.infer<z.ZodObject<S>>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return Object.freeze(parsed.data);
  throw new ConfigError(parsed.error.issues.map((issue) => explained(schema, issue)).join('; '));
}

function explained(schema: z.ZodObject, { path, message }: z.core.$ZodIssue): string {
  const name = String(path[0]);
  const setting = schema.shape[name] as z.ZodType | undefined;
  return `${name}: ${message}${setting?.description ? ` (${setting.description})` : ''}`;
}
