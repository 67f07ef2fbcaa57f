import { z } from 'zod';
import { defined } from './defined';
import { ProtocolError } from './errors';
import { violationsOf } from './params';
import { isObject, unsafePart } from './plain-json';
import { mustBe } from './proto-json';
import { withoutEmpty } from './without-empty';

const MODES = ['message', 'task', 'hybrid'] as const;
/** A year: what is later than that was not meant. */
const MAX_MS = 31_536_000_000;

/** Extensions of Tidemark itself. */
const OWN_URIS = 'urn:tidemark:';

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

/** Names of security schemes, all of which it takes, each with its scopes (A2A 1.0.1, section 4.5.7). */
const requirement = z.object(
  {
    schemes: z
      .record(
        text(),
        z.object({ list: z.array(text(), { error: mustBe('a list') }) }, { error: mustBe('an object') }),
        {
          error: mustBe('an object'),
        },
      )
      .describe('Scopes by the name of the scheme'),
  },
  { error: mustBe('an object') },
);

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
      securityRequirements: optional(listOf(requirement)).describe(
        'What it asks of callers, in the names of the security schemes that the gateway declares',
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

/** An extension as agent cards declare it (A2A 1.0.1, section 4.4.4). */
export type AgentExtension = {
  readonly uri: string;
  readonly description?: string;
  readonly required?: true;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** Ours are on every card; and a list of them is split at commas. */
const extensionUri = () =>
  text()
    .refine((uri) => URL.canParse(uri) && !/[\s,]/.test(uri), { error: 'must be a URI without spaces and commas' })
    .refine((uri) => !uri.startsWith(OWN_URIS), { error: `must not begin with ${OWN_URIS}` });

const extension = z
  .object(
    {
      uri: extensionUri().describe('Names it, its version included'),
      description: optional(text()).describe('How the agent uses it'),
      required: optional(z.boolean({ error: mustBe('true or false') })).describe(
        'Whether a client has to declare it with every request',
      ),
      params: optional(z.record(z.string(), z.unknown(), { error: mustBe('an object') }))
        .transform((params) => withoutEmpty(params) as typeof params)
        .describe('What else a client has to know; nothing in it is empty'),
    },
    { error: mustBe('an object') },
  )
  .transform((declared): AgentExtension => defined({ ...declared, required: declared.required || undefined }));

const extensions = () =>
  listOf(extension).refine((all) => new Set(all.map(({ uri }) => uri)).size === all.length, {
    error: 'must not have an extension twice',
  });

/** Without a member it has nothing to say at present. */
const extended = z
  .object(
    {
      description: optional(text()).describe('Instead of the public one'),
      version: optional(text()).describe('Instead of the public one'),
      documentationUrl: optional(url()).describe('Instead of the public one'),
      skills: optional(listOf(skill)).describe('Further ones; one with the id of a public skill takes its place'),
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
      extensions: optional(extensions()).describe('Extensions of A2A that it has, besides those of the gateway'),
      extended: optional(extended).describe('What callers see who are authenticated'),
      limits: optional(limits).describe('What it may cost in time; what is unset has no limit of its own'),
    },
    { error: mustBe('an object') },
  )
  .transform(defined);

type DeepReadonly<T> = unknown extends T ? T : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** What an executor announces of an agent: its card without what only the gateway knows. Nothing in it is empty. */
export type AgentProfile = DeepReadonly<z.output<typeof agentProfile>>;

/** Throws INVALID_AGENT_RESPONSE with what is wrong; members that are not of a profile are left out. */
export function parseAgentProfile(value: unknown): AgentProfile {
  const unsafe = isObject(value) && unsafePart(value, 'profile');
  if (unsafe) throw new ProtocolError('INVALID_AGENT_RESPONSE', { violations: [unsafe] });
  const result = agentProfile.safeParse(value);
  if (result.success) return result.data;
  throw new ProtocolError('INVALID_AGENT_RESPONSE', { violations: violationsOf(result.error, 'profile') });
}
