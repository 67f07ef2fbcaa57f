import { isIP } from 'node:net';
import { z } from 'zod';
import type { AuthenticationOptions } from './authentication';
import type { RateLimitOptions } from './rate-limits';

const count = (byDefault: number, max = 1_000_000) => z.coerce.number().int().min(0).max(max).default(byDefault);
const text = z.string().trim().min(1).optional();

/** Who may call, and how much: settings of the gateway. */
export const callerSettings = {
  AUTH_ISSUER: text.describe(
    'Issuer of the bearer tokens that are accepted, as their claim iss says; none where it is not set',
  ),
  AUTH_AUDIENCE: text.describe('Audience that bearer tokens must be for, as their claim aud says'),
  AUTH_JWKS: text.describe(
    'URL or path of the JWK Set with the keys of the issuer; found by OpenID Connect discovery where it is not set',
  ),
  AUTH_PRINCIPAL_CLAIM: z.string().trim().min(1).default('sub').describe('Claim of a bearer token that says who calls'),
  AUTH_TENANT_CLAIM: text.describe('Claim of a bearer token that says of which tenant; all are of `default` without'),
  AUTH_CLOCK_TOLERANCE_SECONDS: count(5, 300).describe(
    'How far the clocks of issuer and gateway may be apart when a bearer token begins and expires',
  ),
  API_KEYS_FILE: text.describe(
    'File with the hashes of API keys, as `tidemark api-key create` prints them; none without',
  ),
  RATE_LIMIT_PER_SECOND: count(2_000).describe(
    'Requests a second of one caller, or of one address where callers are anonymous; 0 is without a limit',
  ),
  RATE_LIMIT_BURST: count(10_000).describe('How many more requests of one caller may come within 10 seconds'),
  AUTH_FAILURES_PER_MINUTE: count(60).describe(
    'How often a minute credentials of one address may be refused before the answer is to wait; 0 is without a limit',
  ),
  MAX_STREAMS_PER_CALLER: count(2_000).describe('Streams that one caller may have open at once; 0 is without a limit'),
  TASKS_IN_FLIGHT_PER_TENANT: count(100_000, 10_000_000).describe(
    'Tasks of one tenant that may wait for an executor or be run at once; 0 is without a limit',
  ),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.string().refine(isNetwork, 'expected IP addresses or networks such as 10.0.0.0/8, with commas')))
    .optional()
    .describe('Addresses of proxies whose X-Forwarded-For is believed, with commas between them'),
};

type CallerSettings = Readonly<z.infer<z.ZodObject<typeof callerSettings>>>;

export const isAuthenticating = ({ AUTH_ISSUER, API_KEYS_FILE }: CallerSettings): boolean =>
  AUTH_ISSUER !== undefined || API_KEYS_FILE !== undefined;

/** What one setting of bearer tokens needs of the others. */
export function checkBearer(settings: CallerSettings, context: z.RefinementCtx<CallerSettings>): void {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS: jwks } = settings;
  const refuse = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
  if (issuer === undefined) {
    const alone = BEARER_ONLY.filter((name) => settings[name] !== undefined);
    for (const name of alone) refuse(name, 'counts only for bearer tokens: set AUTH_ISSUER, too');
    return;
  }
  if (audience === undefined) refuse('AUTH_AUDIENCE', 'must be set where AUTH_ISSUER is');
  if (jwks === undefined && !/^https?:\/\/[^/]/.test(issuer)) {
    refuse('AUTH_ISSUER', 'must be an http or https URL, unless AUTH_JWKS says where its keys are');
  }
}

const BEARER_ONLY = ['AUTH_AUDIENCE', 'AUTH_JWKS', 'AUTH_TENANT_CLAIM'] as const;

export function toAuthentication(settings: CallerSettings): AuthenticationOptions {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, API_KEYS_FILE: apiKeysFile } = settings;
  if (issuer === undefined || audience === undefined) return { apiKeysFile };
  return {
    bearer: {
      issuer,
      audience,
      jwks: settings.AUTH_JWKS,
      principalClaim: settings.AUTH_PRINCIPAL_CLAIM,
      tenantClaim: settings.AUTH_TENANT_CLAIM,
      clockToleranceSeconds: settings.AUTH_CLOCK_TOLERANCE_SECONDS,
    },
    apiKeysFile,
  };
}

/** How much one caller may ask for, and one tenant. 0 is without a limit. */
export type CallerLimits = RateLimitOptions & { readonly streams: number; readonly tasksInFlight: number };

export const toCallerLimits = (settings: CallerSettings): CallerLimits => ({
  requestsPerSecond: settings.RATE_LIMIT_PER_SECOND,
  burst: settings.RATE_LIMIT_BURST,
  failuresPerMinute: settings.AUTH_FAILURES_PER_MINUTE,
  streams: settings.MAX_STREAMS_PER_CALLER,
  tasksInFlight: settings.TASKS_IN_FLIGHT_PER_TENANT,
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isBits && rest.length === 0;
}
