import { proxyAgent } from '@tidemark/adapters';

const { PROXY_URL = 'http://127.0.0.1:41241', PROXY_ID, PROXY_TOKEN, PROXY_QUIET_MS } = process.env;

/** Puts durable tasks in front of the agent at `PROXY_URL`. Its card, and so its name, is that agent's own. */
export const agent = proxyAgent(PROXY_URL, {
  ...(PROXY_ID && { id: PROXY_ID }),
  ...(PROXY_TOKEN && { headers: { authorization: `Bearer ${PROXY_TOKEN}` } }),
  ...(PROXY_QUIET_MS && { quietMs: Number(PROXY_QUIET_MS) }),
});
