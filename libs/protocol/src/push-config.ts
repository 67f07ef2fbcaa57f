import type { JsonObject } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { id, int32, mustBe, optionalId, optionalText, protoMessage, struct, text } from './proto-json';

/** Where a client wants to be called, and how it knows who calls (A2A 1.0.1, sections 4.3.1 and 4.3.2). */
export type PushConfigFields = {
  /** Made by the server where the client has none; the same id again replaces what was there. */
  readonly id?: string;
  /** Unset where the message that it comes with makes the task. */
  readonly taskId?: string;
  /** Absolute; where it may lead is not checked here. */
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
};

/** `metadata` is not of the protocol: it carries the cursor of the replay extension. */
export type CreatePushConfigRequest = PushConfigFields & {
  readonly taskId: string;
  readonly metadata?: JsonObject;
  readonly tenant?: string;
};

/** Get and Delete. */
export type NamedPushConfigRequest = { readonly taskId: string; readonly id: string; readonly tenant?: string };

export type ListPushConfigsRequest = {
  readonly taskId: string;
  /** 1 to 100. */
  readonly pageSize: number;
  readonly pageToken?: string;
  readonly tenant?: string;
};

/** A config as clients see it: what convinces the receiver is never shown again, the token is. */
export type WirePushConfig = {
  readonly id: string;
  readonly taskId: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string };
};

export type ListPushConfigsResponse = { readonly configs: readonly WirePushConfig[]; readonly nextPageToken: string };

const matching = (pattern: RegExp, what: string) => {
  const isRight = (value: unknown) => typeof value === 'string' && pattern.test(value);
  return z.custom<string>(isRight, { error: mustBe(what) });
};

/** "" means "not set". */
const optional = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional();

/** What can be the value of an HTTP header. */
const secret = (max: number) =>
  matching(new RegExp(`^[\\x20-\\x7e]{1,${max}}$`), `a string of at most ${max} printable ASCII characters`);

/** A token of a subject. */
const CONFIG_ID = new RegExp(`^[A-Za-z0-9_-]{1,${LIMITS.configIdLength}}$`);

/** What the id of a webhook can be, in words. */
export const PUSH_CONFIG_ID = `1 to ${LIMITS.configIdLength} of A-Z a-z 0-9 _ -, or be left out`;

/** Whether a webhook can have this id. */
export const isPushConfigId = (id: string): boolean => CONFIG_ID.test(id);

const URL_TEXT = `a URL of at most ${LIMITS.urlLength} characters`;

const authentication = protoMessage({
  scheme: matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, 'the name of an HTTP authentication scheme, like Bearer'),
  credentials: optional(secret(LIMITS.credentialsLength)),
});

const fields = {
  id: optional(matching(CONFIG_ID, PUSH_CONFIG_ID)),
  url: text()
    .min(1, { error: mustBe(URL_TEXT) })
    .max(LIMITS.urlLength, { error: mustBe(URL_TEXT) }),
  token: optional(secret(LIMITS.tokenLength)),
  authentication: authentication.optional(),
};

/** The config that comes with a message. */
export const inlinePushConfig = protoMessage({ ...fields, taskId: optionalId() }).transform(toFields);

const tenant = optionalId();
const createConfig = protoMessage({ ...fields, taskId: id(), metadata: struct().optional(), tenant });
const namedConfig = protoMessage({ taskId: id(), id: id(), tenant });
const listConfigs = protoMessage({
  taskId: id(),
  pageSize: int32(0, LIMITS.pageSize).optional(),
  pageToken: optionalText(),
  tenant,
});

/** A2A 1.0.1, section 3.1.7. Throws InvalidParamsError. */
export function parseCreatePushConfig(params: unknown): CreatePushConfigRequest {
  const { taskId, metadata, tenant: named, ...rest } = parseParams(createConfig, params);
  return defined({ ...toFields(rest), taskId, metadata, tenant: named });
}

/** A2A 1.0.1, sections 3.1.8 and 3.1.10. Throws InvalidParamsError. */
export const parseNamedPushConfig = (params: unknown): NamedPushConfigRequest =>
  defined(parseParams(namedConfig, params));

/** A2A 1.0.1, section 3.1.9. Throws InvalidParamsError. */
export function parseListPushConfigs(params: unknown): ListPushConfigsRequest {
  const { pageSize, ...rest } = parseParams(listConfigs, params);
  return defined({ ...rest, pageSize: pageSize || LIMITS.defaultPageSize }); // 0 is how protobuf says "not set"
}

type Stored = Omit<PushConfigFields, 'id'> & { readonly configId: string; readonly taskId: string };

export const toWirePushConfig = ({ configId, taskId, url, token, authentication: known }: Stored): WirePushConfig =>
  defined({ id: configId, taskId, url, token, authentication: known && { scheme: known.scheme } });

type Fields = {
  readonly [Name in keyof PushConfigFields]: PushConfigFields[Name] | undefined;
} & { readonly url: string };

function toFields({ authentication: given, ...rest }: Fields): PushConfigFields {
  return defined({ ...rest, authentication: given && defined(given) });
}
