import { CONTEXT_GRAPH_EXTENSION } from './context-graph-extension';
import { DEADLINE_EXTENSION } from './deadline-extension';
import { REPLAY_EXTENSION } from './replay-extension';

/** What this server adds to the protocol, as agent cards declare it (A2A 1.0.1, sections 4.4.4 and 4.6). */
export const EXTENSIONS = [REPLAY_EXTENSION, CONTEXT_GRAPH_EXTENSION, DEADLINE_EXTENSION] as const;
