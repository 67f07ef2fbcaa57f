import { z } from 'zod';
import { defined } from './defined';
import { ProtocolError } from './errors';
import { EXTENSIONS } from './extensions';
import { violationsOf } from './params';
import { mustBe } from './proto-json';
import { LEGACY_VERSION, PROTOCOL_VERSION } from './service-parameters';

const MODES = ['message', 'task', 'hybrid'] as const;
/** A year: what is later than that was not meant. */
const MAX_MS = 31_536_000_000;

const NOT_EMPTY = { error: 'must not be empty' };

const text = () => z.string({ error: mustBe('a string') }).min(1, NOT_EMPTY);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item, { error: mustBe('a list') }).min(1, NOT_EMPTY);
const url = () => text().refine((value) => URL.canParse(value), { error: 'must be an absolute URL' });
const token = () => text().regex(/^[\w-]{1,64}$/, { error: 'must be 1 to 64 of A-Z a-z 0-9 _ -' });
const mediaType = () =>
  text().regex(/^[\w.+*-]+\/[\w.+*-]+(\s*;.*)?$/, { error: 'must be a media type like text/plain or image/*' });

/** What is empty is not there. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (value === '' || value === null || isEmptyList(value) ? undefined : value),
    schema.optional(),
  );

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const skill = z
  .object(
    {
      id: text().describe('Unique within the agent'),
      name: text().describe('For people'),
      description: text().describe('What it can do, for people and for models'),
      tags: listOf(text()).describe('Words to find it by'),
      examples: optional(listOf(text())).describe('What one may say to it'),
      inputModes: optional(listOf(mediaType())).describe(
        'Media types that it takes, where they are not those of the agent',
      ),
      outputModes: optional(listOf(mediaType())).describe(
        'Media types that it makes, where they are not those of the agent',
      ),
    },
    { error: mustBe('an object') },
  )
  .transform(defined);

const milliseconds = () =>
  z
    .int({ error: mustBe('a whole number of milliseconds') })
    .min(1_000, { error: 'must be at least 1000' })
    .max(MAX_MS, { error: `must be at most ${MAX_MS}` });

const limits = z
  .object(
    {
      taskTimeoutMs: optional(milliseconds()).describe('How long a task may take, pauses included'),
      pauseTimeoutMs: optional(milliseconds()).describe('How long a task waits for its user before it fails'),
      reminderMs: optional(milliseconds()).describe('How often a task that waits says so again'),
      maxAttempts: optional(
        z.int({ error: mustBe('a whole number') }).min(1, { error: 'must be at least 1' }),
      ).describe('How often the same work is tried'),
    },
    { error: mustBe('an object') },
  )
  .transform(defined);

const provider = z.object(
  { organization: text().describe('Its name'), url: url().describe('Its site') },
  { error: mustBe('an object') },
);

const mode = z.enum(MODES, { error: `must be one of ${MODES.join(', ')}` });

/** The profile of an agent, as its executor announces it. */
export const agentProfile = z
  .object(
    {
      id: token().describe('Part of URLs and subjects, and the key of the announcement'),
      name: text().describe('For people'),
      description: text().describe('What it is for'),
      version: text().describe('Of the agent, not of the protocol'),
      provider: optional(provider).describe('Who answers for it'),
      defaultInputModes: listOf(mediaType()).describe('Media types that it takes'),
      defaultOutputModes: listOf(mediaType()).describe('Media types that it makes'),
      skills: listOf(skill).describe('What it can do'),
      documentationUrl: optional(url()).describe('A page about it'),
      iconUrl: optional(url()).describe('A picture of it'),
      mode: optional(mode).describe('Whether messages make tasks; `task` where it is not given'),
      limits: optional(limits).describe('What it may cost in time; what is unset has no limit of its own'),
    },
    { error: mustBe('an object') },
  )
  .transform(defined);

type DeepReadonly<T> = { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** What an executor announces of an agent: its card without what only the gateway knows. Nothing in it is empty. */
export type AgentProfile = DeepReadonly<z.output<typeof agentProfile>>;

/** Throws INVALID_AGENT_RESPONSE with what is wrong; members that are not of a profile are left out. */
export function parseAgentProfile(value: unknown): AgentProfile {
  const result = agentProfile.safeParse(value);
  if (result.success) return result.data;
  throw new ProtocolError('INVALID_AGENT_RESPONSE', { violations: violationsOf(result.error, 'profile') });
}

/** Where clients reach an agent. */
export type AgentPlace = {
  /** The gateway as clients see it, from configuration. */
  readonly publicUrl: string;
  /** The path of the agent's JSON-RPC endpoint below it; "" for the gateway's root. */
  readonly path: string;
};

type AgentInterface = {
  readonly url: string;
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON';
  readonly protocolVersion: string;
};
type AgentExtension = { readonly uri: string; readonly description: string };

/** An agent card of A2A 1.0 (section 4.4.1). */
export type AgentCard = Omit<AgentProfile, 'id' | 'mode' | 'limits'> & {
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extensions: readonly AgentExtension[];
  };
};

/** The card of an agent. Nothing in it is empty, so every way of canonicalising it gives the same bytes (8.4). */
export function toAgentCard(profile: AgentProfile, { publicUrl, path }: AgentPlace): AgentCard {
  const { name, description, version, provider, documentationUrl, iconUrl } = profile;
  const { defaultInputModes, defaultOutputModes, skills } = profile;
  const url = `${publicUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  return defined<AgentCard>({
    ...{ name, description, version, provider, documentationUrl, iconUrl },
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: PROTOCOL_VERSION },
      { url, protocolBinding: 'JSONRPC', protocolVersion: LEGACY_VERSION },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: LEGACY_VERSION },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: EXTENSIONS },
    ...{ defaultInputModes, defaultOutputModes, skills },
  });
}
