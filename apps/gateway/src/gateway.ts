import type { WebhookPolicy } from '@tidemark/push';

/** Token of what this gateway is to its clients. */
export const GATEWAY = Symbol('GATEWAY');

export type Gateway = {
  /** Its name in the events that it appends by itself. */
  readonly gatewayId: string;
  readonly publicUrl: string;
  readonly defaultAgent: string;
  readonly idempotency: 'key' | 'message-id';
  /** How long an agent may take to answer a message that belongs to no task. */
  readonly respondTimeoutMs: number;
  readonly blockingTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly keepAliveMs: number;
  readonly stallTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly inlinePartBytes: number;
  readonly maxPartBytes: number;
  readonly webhookPolicy: WebhookPolicy;
};
