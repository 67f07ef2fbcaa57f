import type { CardSecurity, VersionRule } from '@tidemark/protocol';
import type { AuthenticationOptions } from './callers/authentication';
import type { CallerLimits } from './callers/caller-settings';
import type { GrpcListen } from './grpc/grpc-settings';
import type { WebhookPolicy } from '@tidemark/push';

/** Token of what this gateway is to its clients. */
export const GATEWAY = Symbol('GATEWAY');

export type Gateway = {
  /** Its name in the events that it appends by itself. */
  readonly gatewayId: string;
  readonly publicUrl: string;
  /** `host:port` where clients reach its gRPC, as its agent cards say; undefined where it is off. */
  readonly grpcAddress?: string;
  readonly grpc?: GrpcListen;
  /** What it asks of callers, as its agent cards say; undefined where everybody may call. */
  readonly cardSecurity?: CardSecurity | undefined;
  readonly defaultAgent: string;
  readonly versionRule: VersionRule;
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
  readonly authentication: AuthenticationOptions;
  readonly callerLimits: CallerLimits;
  readonly webhookPolicy: WebhookPolicy;
};
