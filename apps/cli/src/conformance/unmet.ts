/** The executor did not do what a rule asks for; the message says what it did. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
}

/** @throws Unmet */
export function expectThat(isSo: boolean, reason: string): asserts isSo {
  if (!isSo) throw new Unmet(reason);
}
