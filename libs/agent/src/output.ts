import type { JsonObject, JsonValue, Part } from '@tidemark/domain';

/** Something that the agent says; its id is made when it is stored. */
export type Said = {
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  /** URIs of the extensions that had a part in it. */
  readonly extensions?: readonly string[];
};

/** A result, or a chunk of one. */
export type Produced = {
  /** Unique within the task; the name where it is not given. */
  readonly artifactId?: string;
  readonly name: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  /** URIs of the extensions that had a part in it. */
  readonly extensions?: readonly string[];
  /** Add the parts to the artifact that is there; otherwise it is created or replaced. */
  readonly append?: true;
  readonly lastChunk?: true;
};

/** What an agent can yield. */
export type AgentOutput =
  | { readonly type: 'working' | 'completed' | 'failed' | 'rejected'; readonly said?: Said }
  | { readonly type: 'input-required' | 'auth-required'; readonly said: Said }
  | { readonly type: 'artifact'; readonly produced: Produced }
  | { readonly type: 'checkpoint'; readonly checkpoint: JsonObject }
  | { readonly type: 'token'; readonly artifact: string; readonly text: string };

/** What an agent can answer before there is a task: a message, or the wish for one. */
export type Answer = { readonly type: 'message'; readonly said: Said } | { readonly type: 'task' };

export const text = (value: string): Part => ({ text: value });
export const data = (value: JsonValue): Part => ({ data: value });

/** Progress; the turn goes on. */
export const working = (words?: string): AgentOutput => ({ type: 'working', ...saying(words) });

/** Results are artifacts: nothing critical travels in a message alone. */
export const artifact = (produced: Produced): AgentOutput => ({ type: 'artifact', produced });

/**
 * The next piece of a text that grows word by word, as a model writes it. Pieces of the same artifact are stored together,
 * a few times in a second, so that 1,000 tokens are not 1,000 events.
 */
export const token = (piece: string, artifactName = 'answer'): AgentOutput => ({
  ...{ type: 'token', artifact: artifactName, text: piece },
});

/**
 * Keeps something for the next attempt, or the next turn: a page that was reached, an id that another system gave. It is
 * `turn.checkpoint` then, and replaces the one before. Clients do not see it; it is no place for secrets or for results.
 */
export const checkpoint = (state: JsonObject): AgentOutput => ({ type: 'checkpoint', checkpoint: state });

/** The work is done. */
export const completed = (words?: string): AgentOutput => ({ type: 'completed', ...saying(words) });

/** I couldn't. */
export const failed = (words: string): AgentOutput => ({ type: 'failed', ...saying(words) });

/** I won't. */
export const rejected = (words: string): AgentOutput => ({ type: 'rejected', ...saying(words) });

/** The user has to say something; the turn ends, and a new one begins with the answer. */
export const inputRequired = (words: string): AgentOutput => ({
  type: 'input-required',
  said: { parts: [text(words)] },
});

/** The user has to grant something elsewhere; never ask for a secret in a message. */
export const authRequired = (words: string): AgentOutput => ({ type: 'auth-required', said: { parts: [text(words)] } });

/** An answer that makes no task. Nothing of it is stored. */
export const reply = (said: string | Said): Extract<Answer, { type: 'message' }> => ({
  type: 'message',
  said: typeof said === 'string' ? { parts: [text(said)] } : said,
});

/** This is work: make a task of the message, and run a turn on it. */
export const makeTask = (): Answer => ({ type: 'task' });

const saying = (words?: string) => (words === undefined ? {} : { said: { parts: [text(words)] } });
