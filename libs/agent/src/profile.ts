import type { JsonObject } from '@tidemark/domain';

/** One thing that an agent can do (A2A 1.0.1, section 4.4.5). Nothing in it may be empty. */
export type AgentSkill = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  /** What it asks of callers, in the names of the security schemes that the gateway's cards declare. */
  readonly securityRequirements?: readonly {
    readonly schemes: Readonly<Record<string, { readonly list: readonly string[] }>>;
  }[];
};

/** An extension of A2A that the agent has (A2A 1.0.1, section 4.4.4). */
export type AgentExtension = {
  /** Names it, its version included. */
  readonly uri: string;
  readonly description?: string;
  /** Clients that do not declare it are refused. */
  readonly required?: boolean;
  readonly params?: JsonObject;
};

/** What callers see who are authenticated. Without a member it has nothing to say at present. */
export type ExtendedCard = {
  readonly description?: string;
  readonly version?: string;
  readonly documentationUrl?: string;
  /** Further ones; one with the id of a public skill takes its place. */
  readonly skills?: readonly AgentSkill[];
};

/** What an agent may cost in time. What is unset has no limit of its own. */
export type AgentLimits = {
  /** How long a task may take from its submission to its end, pauses included, in milliseconds. */
  readonly taskTimeoutMs?: number;
  /** How long a task waits for its user before it fails, in milliseconds. */
  readonly pauseTimeoutMs?: number;
  /** How often a task that waits says so again, in milliseconds. */
  readonly reminderMs?: number;
  /** How often the same work is tried, by this executor or another one; 1 for never again. */
  readonly maxAttempts?: number;
};

/** What an agent says of itself; its card is made of it. */
export type AgentProfile = {
  /** A token of 1 to 64 letters, digits, `_` and `-`: part of URLs and subjects. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly provider?: { readonly organization: string; readonly url: string };
  /** Media types that it takes and makes. */
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  /** Whether messages make tasks; `task` where it is not given. */
  readonly mode?: 'message' | 'task' | 'hybrid';
  /** Extensions of the agent's own; those of Tidemark are on every card. */
  readonly extensions?: readonly AgentExtension[];
  /** Needs a gateway that authenticates its callers; there is no extended card elsewhere. */
  readonly extended?: ExtendedCard;
  readonly limits?: AgentLimits;
};
