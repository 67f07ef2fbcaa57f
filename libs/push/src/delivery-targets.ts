import type { TaskRef } from '@tidemark/domain';
import { LogUnavailableError, type ReplyInbox } from '@tidemark/event-log';
import { keyOfSubject, PUSH_CONFIG_STREAM, refOf, subjectsOf } from './config-key';
import type { PushConfigRef } from './push-config';

const TIMEOUT_MS = 5_000;
/** Any other error than this one is a bucket out of reach. */
const NO_MESSAGE = 10037;

/**
 * The webhooks of a task, perhaps with some that are gone. It is asked for every event there is, so the usual answer,
 * none, is one cheap read; and it is asked at the leader, so that a config that was put before an event is found.
 * @throws LogUnavailableError
 */
export async function deliveryTargets(inbox: ReplyInbox, task: TaskRef): Promise<readonly PushConfigRef[]> {
  const newest = await ask(inbox, 'MSG.GET', { last_by_subj: subjectsOf(task) });
  if (newest.error) return [];
  const { state } = await ask(inbox, 'INFO', { subjects_filter: subjectsOf(task) });
  const refs = Object.keys(state?.subjects ?? {}).map((subject) => refOf(keyOfSubject(subject)));
  return refs.filter((ref) => ref !== undefined);
}

type Answer = {
  readonly error?: { readonly err_code: number; readonly description: string };
  readonly state?: { readonly subjects?: Readonly<Record<string, number>> };
};

async function ask(inbox: ReplyInbox, verb: 'INFO' | 'MSG.GET', query: object): Promise<Answer> {
  const subject = `$JS.API.STREAM.${verb}.${PUSH_CONFIG_STREAM}`;
  const msg = await inbox.request({ subject, payload: JSON.stringify(query), timeoutMs: TIMEOUT_MS });
  const answer = msg.json<Answer>();
  if (!answer.error || answer.error.err_code === NO_MESSAGE) return answer;
  throw new LogUnavailableError(`The push notification configs cannot be reached: ${answer.error.description}`);
}
