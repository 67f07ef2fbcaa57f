/**
 * How many cases pass, by run and by the bindings that it was over. A kit that skips where it should fail shows only
 * here, so the numbers are exact. They are for the commits in kits.mjs and the packages in requirements-*.txt.
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const PASSED = {};

/**
 * Cases that fail, or would, because the kit is wrong.
 * @type {readonly import('./judge.mjs').KnownFault[]}
 */
export const KNOWN_FAULTS = [];
