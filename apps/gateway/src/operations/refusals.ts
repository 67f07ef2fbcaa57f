import { BlobsUnavailableError } from '@tidemark/blobs';
import { TaskError } from '@tidemark/domain';
import {
  ConcurrencyError,
  CorruptEventError,
  CursorError,
  EventTooLargeError,
  HistoryTrimmedError,
  LogUnavailableError,
} from '@tidemark/event-log';
import type { Logger } from '@tidemark/platform';
import { UnreadableConfigError } from '@tidemark/push';
import { PageTokenError, TaskIndexBehindError, TaskIndexUnavailableError } from '@tidemark/read-model';
import { cursorInvalid, InvalidParamsError, payloadTooLarge, ProtocolError, toProtocolError } from '@tidemark/protocol';

/** Everything that can go wrong, in the words of the protocol. What is nobody's fault but ours is logged. */
export class Refusals {
  constructor(private readonly logger: Logger) {}

  of(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return this.#told(error);
    if (error instanceof TaskError) return toProtocolError(error);
    if (error instanceof CursorError) return cursorInvalid('must be the id of an event of this task');
    if (error instanceof HistoryTrimmedError) return new ProtocolError('TASK_NOT_FOUND', NO_LONGER_KEPT);
    if (error instanceof EventTooLargeError) return payloadTooLarge('message', error.limitBytes);
    if (error instanceof PageTokenError) return new InvalidParamsError([PAGE_TOKEN]);
    return this.#failure(error);
  }

  /** Where an agent is to blame, whoever operates it has to know, too. */
  #told(error: ProtocolError): ProtocolError {
    const { code, message: reason, metadata } = error;
    if (AGENTS_DOING.has(code)) this.logger.warn({ code, reason, ...metadata }, 'an agent gave no answer');
    return error;
  }

  /** Not the client's doing. */
  #failure(error: unknown): ProtocolError {
    this.logger.error({ err: error }, 'a call failed');
    if (OUTAGES.some((outage) => error instanceof outage)) return new ProtocolError('LOG_UNAVAILABLE');
    if (INDEX_OUTAGES.some((outage) => error instanceof outage))
      return new ProtocolError('LOG_UNAVAILABLE', INDEX_AWAY);
    if (error instanceof CorruptEventError) return new ProtocolError('INTERNAL_ERROR', CORRUPT);
    if (error instanceof UnreadableConfigError) return new ProtocolError('INTERNAL_ERROR', UNREADABLE);
    return toProtocolError(error);
  }
}

/** Something behind the gateway does not answer at the moment; the same call may well succeed later. */
const OUTAGES = [LogUnavailableError, ConcurrencyError, BlobsUnavailableError];
const INDEX_OUTAGES = [TaskIndexUnavailableError, TaskIndexBehindError];
const INDEX_AWAY = { message: 'The task index cannot be reached at the moment: retry the request' };

const AGENTS_DOING: ReadonlySet<string> = new Set(['INVALID_AGENT_RESPONSE', 'AGENT_UNAVAILABLE']);

const CORRUPT = { message: 'The log holds something in this task that is no event: an operator has to look at it' };
const UNREADABLE = { message: 'The push notification config cannot be read: delete it, or create it again' };
const NO_LONGER_KEPT = { message: 'The task is no longer kept: its first events have been removed from the log' };
const PAGE_TOKEN = { field: 'pageToken', description: 'must be a nextPageToken of a call with the same filters' };
