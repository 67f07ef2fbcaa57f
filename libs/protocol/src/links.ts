import type { LinkTo } from './wire-part';

/** Where the gateway at `publicUrl` serves the content of a part; the tokens of a task need no escaping. */
export const linksBelow = (publicUrl: string): LinkTo => {
  const root = publicUrl.replace(/\/+$/, '');
  return ({ agent, taskId }, sha256) => `${root}/agents/${agent}/tasks/${taskId}/parts/${sha256}`;
};
