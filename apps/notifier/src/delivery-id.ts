import { formatPosition, type Position } from '@tidemark/domain';
import type { PushConfig } from '@tidemark/push';
import { createHash } from 'node:crypto';

/** Names one event for one webhook: the same for every attempt, and after a redelivery. */
export function deliveryId(config: PushConfig, position: Position): string {
  const { tenant, agent, taskId, configId, createdAt } = config;
  const named = [tenant, agent, taskId, configId, createdAt, formatPosition(position)].join('\n');
  return `msg_${createHash('sha256').update(named).digest('base64url').slice(0, 32)}`;
}
