import { call } from './a2a.mjs';

/**
 * How many tasks of these agents the store holds.
 * @param {string} baseUrl
 * @param {readonly string[]} agents
 * @returns {Promise<number>}
 */
export async function countTasks(baseUrl, agents) {
  const lists = await Promise.all(
    agents.map((agent) => call(`${baseUrl}/agents/${agent}`, 'ListTasks', { pageSize: 1 })),
  );
  return lists.reduce((total, { totalSize }) => total + totalSize, 0);
}
