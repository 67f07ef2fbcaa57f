import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { growth, rssKbOf } from '../accounting.mjs';

const AT_ONCE = 20;
const SETTLE_MS = 2_000;
const LIMIT_MS = 60_000;

/**
 * @typedef {{
 *   kind: 'open-streams', url: string, headers: Record<string, string>, body: string, until: string, warmUp: number,
 *   streams: number, pids: import('../accounting.mjs').Pids,
 * }} OpenStreamsJob
 */

/**
 * How much memory it takes to keep streams open on agents that wait, in kilobytes per stream and process.
 * @param {OpenStreamsJob} job
 */
export async function openStreams(job) {
  const agent = new Agent({ maxSockets: Infinity });
  await openAll(job, { agent, count: job.warmUp });
  await sleep(SETTLE_MS);
  const before = rssKbOf(job.pids);
  await openAll(job, { agent, count: job.streams });
  await sleep(SETTLE_MS);
  const grown = growth(before, rssKbOf(job.pids));
  return { rssKb: Object.fromEntries(Object.entries(grown).map(([name, kb]) => [name, kb / job.streams])) };
}

/**
 * @param {OpenStreamsJob} job
 * @param {{ agent: Agent, count: number }} wanted
 */
async function openAll(job, { agent, count }) {
  let left = count;
  const open = async () => {
    while (left-- > 0) await openOne(job, agent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
}

/**
 * Resolves once the stream has shown that the agent works; it stays open.
 * @param {OpenStreamsJob} job
 * @param {Agent} agent
 * @returns {Promise<void>}
 */
function openOne({ url, headers, body, until }, agent) {
  return new Promise((resolve, reject) => {
    let seen = '';
    const fail = (why) => reject(new Error(`a stream ${why} after: ${seen.slice(0, 300)}`));
    const limit = setTimeout(fail, LIMIT_MS, 'was silent');
    const opened = request(url, { method: 'POST', headers, agent }, (response) => {
      response.setEncoding('utf8').on('data', (text) => {
        if (seen.includes(until)) return;
        seen += text;
        if (!seen.includes(until)) return;
        clearTimeout(limit);
        resolve();
      });
      response.on('close', () => fail('ended'));
    });
    opened.on('error', reject);
    opened.end(body.replaceAll('<id>', () => randomUUID()));
  });
}
