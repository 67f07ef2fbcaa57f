export {
  ConcurrencyError,
  CorruptEventError,
  CursorError,
  EventTooLargeError,
  HistoryTrimmedError,
  LogSetupError,
  LogUnavailableError,
  NoAnswerError,
  NoRespondersError,
} from './errors';
export { decodeEvent, encodeEvent } from './codec';
export { execute, type Executed } from './execute';
export { JetStreamTaskLog, type TaskLogOptions } from './jetstream-task-log';
export { MemoryTaskLog } from './memory-task-log';
export { type LogEntry, LogReplacedError, type LogState, logState, readLog, type ReadLogOptions } from './read-log';
export { ReplyInbox } from './reply-inbox';
export { ensureConsumer, ensureLog } from './reconcile';
export { executorConsumer, notifierConsumer, taskEventsStream } from './streams';
export {
  ALL_EVENTS,
  ALL_LIVE,
  type AgentRef,
  agentOf,
  enquirySubject,
  enquirySubjects,
  eventSubject,
  executorConsumerName,
  isToken,
  liveSubjects,
  NOTIFIER_CONSUMER,
  respondersQueue,
  STREAM,
  taskOf,
  taskSubjects,
  workSubjects,
} from './subjects';
export type { SnapshotSource, TaskLog } from './task-log';
