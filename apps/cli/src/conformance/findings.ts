import type { Rule } from '@tidemark/executor-protocol';

/** How a rule was judged; the reasons say why it was not kept, or not judged. */
export type Verdict = {
  readonly rule: Rule;
  readonly outcome: 'passed' | 'failed' | 'not judged';
  readonly reasons: readonly string[];
};

/** What was found about each rule. */
export class Findings {
  readonly #failures = new Map<string, string[]>();
  readonly #skipped = new Map<string, string>();

  add(rule: Rule['id'], reason: string): void {
    this.#failures.set(rule, [...(this.#failures.get(rule) ?? []), reason]);
  }

  skip(rule: Rule['id'], reason: string): void {
    this.#skipped.set(rule, reason);
  }

  verdict(rule: Rule): Verdict {
    const reasons = this.#failures.get(rule.id);
    if (reasons) return { rule, outcome: 'failed', reasons };
    const skipped = this.#skipped.get(rule.id);
    return skipped ? { rule, outcome: 'not judged', reasons: [skipped] } : { rule, outcome: 'passed', reasons: [] };
  }
}
