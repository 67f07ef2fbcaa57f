import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { cpuMsOf, growth, machineCpuMs, total } from '../accounting.mjs';

/**
 * @typedef {{ body: string, headers?: Record<string, string> }} Request every `<id>` in a body becomes a new UUID
 * @typedef {{ includes: readonly string[], frames?: number }} Expected what each answer must hold to count as right
 * @typedef {{
 *   kind: 'load', url: string, headers: Record<string, string>, requests: readonly Request[], expected: Expected,
 *   connections: number, warmUpSeconds: number, seconds: number, pids: import('../accounting.mjs').Pids,
 * }} LoadJob
 * @typedef {Omit<LoadJob, 'kind' | 'warmUpSeconds' | 'seconds' | 'pids'> & { kind: 'fill', amount: number }} FillJob
 */

/**
 * Sends a number of requests, each of which must be answered as expected.
 * @param {FillJob} job
 */
export async function fill(job) {
  const { answered, problems } = await fire(job, { amount: job.amount });
  if (answered === job.amount && total(problems) === 0) return {};
  throw new Error(`${answered} of ${job.amount} requests were answered: ${JSON.stringify(problems)}`);
}

/**
 * Warms the server up, then measures it: what it did, how long that took, and what it cost.
 * @param {LoadJob} job
 */
export async function load(job) {
  await fire(job, { duration: job.warmUpSeconds });
  const before = spent(job.pids);
  const { answered, seconds, latencies, problems } = await fire(job, { duration: job.seconds });
  const after = spent(job.pids);

  const cpu = growth(before.parts, after.parts);
  const ownMs = after.ownMs - before.ownMs;
  return {
    rate: answered / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpu: Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / answered])),
    generatorCpu: ownMs / answered,
    otherCores: Math.max(0, after.machineMs - before.machineMs - total(cpu) - ownMs) / 1000 / seconds,
    problems,
  };
}

/**
 * @param {Pick<LoadJob, 'url' | 'headers' | 'requests' | 'expected' | 'connections'>} job
 * @param {{ duration: number } | { amount: number }} limit seconds or requests
 */
async function fire({ url, headers, requests, expected, connections }, limit) {
  let next = 0;
  const setupRequest = (request) => {
    const { body, headers: own } = requests[next++ % requests.length];
    return { ...request, body: body.replaceAll('<id>', () => randomUUID()), headers: { ...headers, ...own } };
  };
  const latencies = [];
  const since = performance.now();
  const shots = autocannon({
    ...{ url, method: 'POST', headers, connections, ...limit },
    requests: [{ setupRequest }],
    verifyBody: (body) => isExpected(body, expected),
  });
  shots.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  const { errors, timeouts, non2xx, mismatches } = await shots;
  return {
    answered: latencies.length,
    seconds: (performance.now() - since) / 1000,
    latencies: latencies.sort((a, b) => a - b),
    problems: { errors: errors - timeouts, timeouts, non2xx, wrong: mismatches },
  };
}

/**
 * @param {string} body
 * @param {Expected} expected
 */
function isExpected(body, { includes, frames }) {
  if (frames !== undefined && body.split('\ndata: ').length - 1 + Number(body.startsWith('data: ')) !== frames)
    return false;
  return includes.every((text) => body.includes(text));
}

/** @param {import('../accounting.mjs').Pids} pids */
function spent(pids) {
  const { user, system } = process.cpuUsage();
  return { parts: cpuMsOf(pids), ownMs: (user + system) / 1000, machineMs: machineCpuMs() };
}

/**
 * @param {readonly number[]} sorted
 * @param {number} share
 */
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
