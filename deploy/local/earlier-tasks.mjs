import { call } from './a2a.mjs';

const AGENTS = ['trip-planner', 'echo', 'ticker'];

/**
 * How many tasks the store holds, over all agents.
 * @param {string} baseUrl
 * @returns {Promise<number>}
 */
export async function countTasks(baseUrl) {
  const lists = await Promise.all(
    AGENTS.map((agent) => call(`${baseUrl}/agents/${agent}`, 'ListTasks', { pageSize: 1 })),
  );
  return lists.reduce((total, { totalSize }) => total + totalSize, 0);
}
