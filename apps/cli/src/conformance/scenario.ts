import type { Rule } from '@tidemark/executor-protocol';
import type { Stage } from './stage';

/** What shows whether a rule is kept. It throws `Unmet` where it is not, `NotJudged` where that cannot be told. */
export type Scenario = { readonly rule: Rule['id']; readonly play: (stage: Stage) => Promise<void> };

/** The rule cannot be judged here; the message says why. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}
