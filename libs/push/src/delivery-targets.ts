import type { Msg } from '@nats-io/nats-core';
import type { TaskRef } from '@tidemark/domain';
import { LogUnavailableError, type ReplyInbox } from '@tidemark/event-log';
import { REFUSAL } from '@tidemark/jetstream';
import { keyOfSubject, PUSH_CONFIG_STREAM, refOf, subjectsOf } from './config-key';
import type { PushConfigRef } from './push-config';

const TIMEOUT_MS = 5_000;
const NOT_FOUND = 404;

/**
 * The webhooks of a task, perhaps with some that are gone. It is asked for every event there is, so the usual answer,
 * none, is one cheap read. A config that was put before an event is found: with several replicas the leader is asked.
 */
export class DeliveryTargets {
  constructor(
    private readonly inbox: ReplyInbox,
    private readonly replicas: number,
  ) {}

  /** @throws LogUnavailableError */
  async of(task: TaskRef): Promise<readonly PushConfigRef[]> {
    if (!(await this.#hasAny(task))) return [];
    const { state } = assertAnswer(await this.#ask('STREAM.INFO', { subjects_filter: subjectsOf(task) }));
    const refs = Object.keys(state?.subjects ?? {}).map((subject) => refOf(keyOfSubject(subject)));
    return refs.filter((ref) => ref !== undefined);
  }

  async #hasAny(task: TaskRef): Promise<boolean> {
    const query = { last_by_subj: subjectsOf(task) };
    if (this.replicas === 1) return (await this.#ask('DIRECT.GET', query)).headers?.code !== NOT_FOUND;
    return assertAnswer(await this.#ask('STREAM.MSG.GET', query)).error === undefined;
  }

  #ask(verb: 'STREAM.INFO' | 'STREAM.MSG.GET' | 'DIRECT.GET', query: object): Promise<Msg> {
    const subject = `$JS.API.${verb}.${PUSH_CONFIG_STREAM}`;
    return this.inbox.request({ subject, payload: JSON.stringify(query), timeoutMs: TIMEOUT_MS });
  }
}

type Answer = {
  readonly error?: { readonly err_code: number; readonly description: string };
  readonly state?: { readonly subjects?: Readonly<Record<string, number>> };
};

/** No message is an answer; any other error is a bucket out of reach. */
function assertAnswer(msg: Msg): Answer {
  const answer = msg.json<Answer>();
  if (!answer.error || answer.error.err_code === REFUSAL.noMessage) return answer;
  throw new LogUnavailableError(`The push notification configs cannot be reached: ${answer.error.description}`);
}
