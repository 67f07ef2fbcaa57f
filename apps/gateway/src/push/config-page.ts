import {
  InvalidParamsError,
  type ListPushConfigsRequest,
  type ListPushConfigsResponse,
  toWirePushConfig,
} from '@tidemark/protocol';
import type { PushConfig } from '@tidemark/push';

/** One page of the configs of a task, in their order. @throws InvalidParamsError for a token of another list */
export function configPage(
  configs: readonly PushConfig[],
  { taskId, pageSize, pageToken }: ListPushConfigsRequest,
): ListPushConfigsResponse {
  const after = pageToken === undefined ? '' : markIn(pageToken, taskId);
  const rest = configs.filter((config) => markOf(config) > after);
  const page = rest.slice(0, pageSize);
  const last = rest.length > pageSize ? page.at(-1) : undefined;
  return { configs: page.map(toWirePushConfig), nextPageToken: last ? tokenOf(last) : '' };
}

/** Sorts as the list does. */
const markOf = ({ createdAt, configId }: PushConfig): string => `${createdAt} ${configId}`;

const tokenOf = (config: PushConfig): string => Buffer.from(`${config.taskId} ${markOf(config)}`).toString('base64url');

function markIn(token: string, taskId: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  const [ofTask, createdAt, configId, ...more] = text.split(' ');
  if (ofTask === taskId && createdAt && configId && more.length === 0) return `${createdAt} ${configId}`;
  throw new InvalidParamsError([
    { field: 'pageToken', description: 'must be a nextPageToken of a call with the same task' },
  ]);
}
