/**
 * A fault of a kit, which no change of the product would be right for. It is recognised by `test`, a part of the names of
 * the cases that fail of it, or are skipped for it; with `runs`, only in these. Of one that comes and goes (`isRace`)
 * no case counts as passed.
 * @typedef {{ kit: string, test: string, runs?: readonly string[], isRace?: boolean, reason: string }} KnownFault
 *
 * What a run has come to. `problems` is empty if all is as it should be.
 * @typedef {{ passed: number, failed: number, skipped: number, known: number, problems: readonly string[] }} Verdict
 * @typedef {import('./junit.mjs').Case} Case
 */

/**
 * The gate: no failure but known faults, every known fault still there, and exactly as many cases passed as expected.
 * Skipped cases hide failures, so that nothing failed is not enough.
 * @param {readonly Case[]} cases
 * @param {{ expected: number | undefined, faults: readonly KnownFault[] }} options
 * @returns {Verdict}
 */
export function judge(cases, { expected, faults }) {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const known = failed.filter((one) => faults.some((fault) => isOf(fault, one)));
  const races = faults.filter(({ isRace }) => isRace);
  const certain = cases.filter((one) => !races.some((race) => isOf(race, one)));
  const passed = count(certain, 'passed');
  return {
    passed,
    failed: failed.length - known.length,
    skipped: count(cases, 'skipped'),
    known: known.length,
    problems: [
      ...failed.filter((one) => !known.includes(one)).map(({ name, message = '' }) => `${name}: ${message}`),
      ...staleFaults(cases, faults),
      ...wrongCount(passed, expected),
    ],
  };
}

/**
 * @param {readonly Case[]} cases
 * @param {readonly KnownFault[]} faults
 */
function staleFaults(cases, faults) {
  const stale = faults.filter((fault) => {
    if (fault.isRace) return false;
    const mine = cases.filter((one) => isOf(fault, one));
    return mine.length > 0 && mine.every(({ outcome }) => outcome === 'passed');
  });
  return stale.map(({ test }) => `${test} passes now: take it off the known faults`);
}

/**
 * @param {number} passed
 * @param {number | undefined} expected
 */
function wrongCount(passed, expected) {
  if (expected === undefined) return [`${passed} cases passed, and expected.mjs says of no number for these bindings`];
  return passed === expected ? [] : [`${passed} cases passed, and ${expected} were expected`];
}

/**
 * @param {KnownFault} fault
 * @param {Case} one
 */
const isOf = ({ test }, { name }) => name.includes(test);

/**
 * @param {readonly Case[]} cases
 * @param {Case['outcome']} wanted
 */
const count = (cases, wanted) => cases.filter(({ outcome }) => outcome === wanted).length;
