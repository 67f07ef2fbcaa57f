import { FENCE_SCENARIOS } from './fence-scenarios';
import type { Scenario } from './scenario';
import { TALK_SCENARIOS } from './talk-scenarios';
import { TURN_SCENARIOS } from './turn-scenarios';
import { WORK_SCENARIOS } from './work-scenarios';

/** In the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  ...TURN_SCENARIOS,
  ...TALK_SCENARIOS,
  ...WORK_SCENARIOS,
  ...FENCE_SCENARIOS,
];
