import type { Agent } from '@tidemark/agent';
import { echo } from './echo';
import { ticker } from './ticker';
import { tripPlanner } from './trip-planner';

/** The agents that come with Tidemark. */
export const AGENTS: readonly Agent[] = [tripPlanner, echo, ticker];
