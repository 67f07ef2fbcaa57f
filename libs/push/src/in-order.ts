import type { PushConfig } from './push-config';

/** The oldest first; of one age by their names. */
export const inOrder = (configs: readonly PushConfig[]): PushConfig[] => configs.toSorted(byAge);

const byAge = (one: PushConfig, other: PushConfig): number =>
  compared(one.createdAt, other.createdAt) || compared(one.configId, other.configId);

const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
