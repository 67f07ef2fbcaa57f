import type { AgentLimits, AgentProfile, AgentSkill } from '@tidemark/agent';
import { z } from 'zod';
import { faultIn, list, mustBe, text } from './shapes';

const MAX_WORDS = 4_096;
const MAX_ITEMS = 100;
const MEDIA_TYPE = /^[\w.+*-]+\/[\w.+*-]+$/;

const words = () => text().transform((value) => value.trim().slice(0, MAX_WORDS));
const someWords = () => words().optional().catch(undefined);
const items = <Item extends z.ZodType>(item: Item) =>
  list(z.unknown())
    .catch([])
    .default([])
    .transform((values) => values.slice(0, MAX_ITEMS).flatMap((value) => parsedOrNothing(item, value)));

const parsedOrNothing = <Item extends z.ZodType>(item: Item, value: unknown): z.output<Item>[] => {
  const result = item.safeParse(value);
  return result.success ? [result.data] : [];
};

/** `text` is said for `text/plain` here and there. */
const mediaType = () =>
  words()
    .transform((value) => (value === 'text' ? 'text/plain' : value))
    .refine((value) => MEDIA_TYPE.test(value));

const url = () => words().refine((value) => URL.canParse(value));
const aWord = () => words().refine((value) => value !== '');

const skill = z.object({
  id: aWord(),
  name: aWord(),
  description: someWords(),
  tags: items(aWord()),
  examples: items(aWord()),
  inputModes: items(mediaType()),
  outputModes: items(mediaType()),
});

const card = z.object(
  {
    name: aWord(),
    description: someWords(),
    version: someWords(),
    provider: z.object({ organization: aWord(), url: url() }).optional().catch(undefined),
    documentationUrl: url().optional().catch(undefined),
    iconUrl: url().optional().catch(undefined),
    defaultInputModes: items(mediaType()),
    defaultOutputModes: items(mediaType()),
    skills: items(skill),
    capabilities: z
      .object({ streaming: z.boolean().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  },
  { error: mustBe('an object') },
);

/** What a remote agent says of itself, as far as it can be shown under our own name. */
export type RemoteCard = z.output<typeof card>;

/** What is wrong is left out, what is too long is cut. @throws Error where there is not even a name. */
export function parseCard(value: unknown): RemoteCard {
  const result = card.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`the remote agent's card is wrong: ${faultIn(result.error, 'it')}`);
}

export type ProfileWish = { readonly id?: string; readonly limits?: AgentLimits };

/** The profile of an agent that stands in front of the remote one. Nothing in it may be empty. */
export function toProfile(remote: RemoteCard, { id, limits }: ProfileWish): AgentProfile & { readonly mode: 'task' } {
  const { name, description, version, provider, documentationUrl, iconUrl } = remote;
  return {
    ...{ id: id ?? slugOf(name), name, description: description || name, version: version || '0', mode: 'task' },
    ...(provider && { provider }),
    ...(documentationUrl && { documentationUrl }),
    ...(iconUrl && { iconUrl }),
    ...(limits && { limits }),
    defaultInputModes: orText(remote.defaultInputModes),
    defaultOutputModes: orText(remote.defaultOutputModes),
    skills: remote.skills.length > 0 ? remote.skills.map(toSkill) : [onlySkill(remote)],
  };
}

const orText = (modes: readonly string[]) => (modes.length > 0 ? modes : ['text/plain']);

const toSkill = ({ id, name, description, tags, ...lists }: RemoteCard['skills'][number]): AgentSkill => ({
  ...{ id, name, description: description || name, tags: tags.length > 0 ? tags : [id] },
  ...(lists.examples.length > 0 && { examples: lists.examples }),
  ...(lists.inputModes.length > 0 && { inputModes: lists.inputModes }),
  ...(lists.outputModes.length > 0 && { outputModes: lists.outputModes }),
});

const onlySkill = ({ name, description }: RemoteCard): AgentSkill => ({
  ...{ id: slugOf(name), name, description: description || name, tags: ['remote'] },
});

/** A name as a token of URLs and subjects. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '') || 'remote';
