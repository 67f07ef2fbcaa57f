/** @typedef {{ median: number, min: number, max: number }} Spread */

/**
 * @param {readonly number[]} numbers
 * @returns {Spread | undefined} undefined of nothing
 */
export function spreadOf(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

/**
 * What one system achieved, over what another did minutes at most before or after it: one ratio for each round in
 * which both have a measurement.
 * @param {ReadonlyMap<number, number>} ours by round
 * @param {ReadonlyMap<number, number>} theirs by round
 */
export function pairedRatios(ours, theirs) {
  return [...ours].filter(([round]) => theirs.has(round)).map(([round, value]) => value / theirs.get(round));
}

/** @param {Spread | undefined} spread */
export function shown(spread) {
  if (!spread) return '–';
  const { median, min, max } = spread;
  return min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`;
}

/**
 * Three significant digits are more than the machine is good for.
 * @param {number} number
 */
export function digits(number) {
  const size = Math.abs(number);
  return number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
