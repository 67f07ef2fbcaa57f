import type { AgentProfile } from '@tidemark/protocol';
import type { Call } from '../callers/call';
import type { Frames } from './streams';

/** What an operation answers: one result, or frames to come. */
export type Answer = { readonly result: unknown } | { readonly frames: Frames };

export type Operation = (call: Call, params: unknown, profile: AgentProfile) => Answer | Promise<Answer>;
