import type { Task } from '@tidemark/domain';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';

/** SHA-256 of the canonical JSON (RFC 8785) of a task: equal for equal tasks, in whatever order members were set. */
export const canonicalHash = (task: Task): string =>
  createHash('sha256')
    .update(canonicalize(task) ?? '')
    .digest('hex');
