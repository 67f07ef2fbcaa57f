import type { TaskRef } from '@tidemark/domain';
import { createHash } from 'node:crypto';

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const keyOf = ({ tenant, agent, taskId }: TaskRef, sha256: string): string =>
  `${tenant}.${agent}.${taskId}.${sha256}`;
