/** One thing that an agent can do (A2A 1.0.1, section 4.4.5). Nothing in it may be empty. */
export type AgentSkill = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
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
};
