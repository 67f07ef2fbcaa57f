import type { Actor, TaskRef } from '@tidemark/domain';
import { isToken } from '@tidemark/event-log';
import { ProtocolError } from '@tidemark/protocol';

/** Who calls. Without authentication everyone is the same. */
export type Caller = {
  readonly tenant: string;
  readonly principal: string;
  /** The only agents that the credential is for; all where it is not set. */
  readonly agents?: readonly string[];
  /** When the credential ends, and all that is still open with it. */
  readonly expiresAtMs?: number;
  /** Whether the credential would be taken now; one that nobody can call back has none. */
  readonly stillCounts?: () => Promise<boolean>;
};

export const ANONYMOUS: Caller = { tenant: 'default', principal: 'anonymous' };

/** Nobody has said who they are, and proved it. No credential makes anybody this. */
export const isAnonymous = (caller: Caller): boolean => caller.principal === ANONYMOUS.principal;

/** Within what a call looks things up, and the W3C trace context that it came with. */
export type Scope = Pick<Caller, 'tenant' | 'principal' | 'agents'> & {
  readonly agent: string;
  readonly trace?: string;
};

/** Whether a credential is for an agent. */
export const isFor = ({ agents }: Pick<Caller, 'agents'>, agent: string): boolean =>
  agents === undefined || agents.includes(agent);

export const actorOf = ({ principal }: Pick<Caller, 'principal'>): Actor => ({ kind: 'principal', id: principal });

/** @throws TASK_NOT_FOUND for an id that no task here can have. */
export function refIn({ tenant, agent }: Scope, taskId: string): TaskRef {
  if (!isToken(taskId)) throw new ProtocolError('TASK_NOT_FOUND', { metadata: { taskId } });
  return { tenant, agent, taskId };
}
