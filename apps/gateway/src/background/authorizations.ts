import { type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Task, TaskError } from '@tidemark/domain';
import { ALL_AUTHORIZE, execute, LogUnavailableError, newWish, type TaskLog } from '@tidemark/event-log';
import type { Logger } from '@tidemark/platform';
import { type Decision, parseDecision } from './decision';

const QUEUE = 'gateway';

/** What an operator gets back. */
type Answer = { readonly taskId: string; readonly agent: string; readonly state: string } | { readonly error: Refusal };
type Refusal = { readonly code: string; readonly message: string };

/**
 * Out-of-band decisions about tasks that wait in `auth-required`: request and reply on `authorize.<tenant>.<taskId>`.
 * Whoever may publish there may decide; the broker's permissions say who that is. One of the gateways answers.
 */
@Injectable()
export class Authorizations implements OnModuleInit, OnModuleDestroy {
  #subscription?: Subscription;

  constructor(
    private readonly nc: NatsConnection,
    private readonly log: TaskLog,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const callback = (_: Error | null, msg: Msg): void => void this.#answer(msg);
    this.#subscription = this.nc.subscribe(ALL_AUTHORIZE, { queue: QUEUE, callback });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#subscription?.drain();
  }

  async #answer(msg: Msg): Promise<void> {
    const answer = await this.#decided(msg).catch((error: unknown) => ({ error: this.#refusal(error) }));
    msg.respond(JSON.stringify(answer satisfies Answer));
  }

  async #decided(msg: Msg): Promise<Answer> {
    const [, tenant = '', taskId = ''] = msg.subject.split('.');
    const decision = parseDecision(msg.string());
    if (typeof decision === 'string') return { error: { code: 'INVALID', message: decision } };
    const ref = await this.log.find(tenant, taskId);
    if (!ref) return { error: { code: 'TASK_NOT_FOUND', message: `There is no such task: ${taskId}` } };
    const { task } = await execute(this.log, ref, toCommand(decision));
    this.logger.info({ taskId, by: decision.by, decision: decision.decision }, 'an authorization was decided');
    return toAnswer(task);
  }

  #refusal(error: unknown): Refusal {
    if (error instanceof TaskError) return { code: error.code, message: error.message };
    this.logger.error({ err: error }, 'a decision could not be stored');
    if (error instanceof LogUnavailableError)
      return { code: 'UNAVAILABLE', message: 'The log cannot be reached now: retry' };
    return { code: 'INTERNAL', message: 'Internal error' };
  }
}

const toAnswer = ({ taskId, agent, status }: Task): Answer => ({ taskId, agent, state: status.state });

const toCommand = ({ decision, by, note }: Decision) => ({
  ...newWish({ kind: 'operator', id: by }),
  ...({ type: 'DecideAuth', decision, ...(note !== undefined && { note }) } as const),
});
