import type { LinkTo } from '@tidemark/protocol';

/** Where `PartsController` serves the content of a part; the tokens of a task need no escaping. */
export const linksBelow = (publicUrl: string): LinkTo => {
  const root = publicUrl.replace(/\/+$/, '');
  return ({ agent, taskId }, sha256) => `${root}/agents/${agent}/tasks/${taskId}/parts/${sha256}`;
};
