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
export { maxPayloadOf } from './append';
export { MemoryTaskLog } from './memory-task-log';
export { type LogEntry, LogReplacedError, type LogState, logState, readLog, type ReadLogOptions } from './read-log';
export { patiently } from './patience';
export { ReplyInbox } from './reply-inbox';
export { ensureConsumer, ensureLog, ensureStream, ensureTimers } from './reconcile';
export { executorConsumer, notifierConsumer, taskEventsStream, timerConsumer, timerStream } from './streams';
export {
  ALL_AUTHORIZE,
  ALL_DUE,
  ALL_EVENTS,
  ALL_LIVE,
  type AgentRef,
  agentOf,
  enquirySubject,
  enquirySubjects,
  authorizeSubject,
  dueSubject,
  eventSubject,
  executorConsumerName,
  isToken,
  liveSubjects,
  NOTIFIER_CONSUMER,
  respondersQueue,
  STREAM,
  subjectsOfTaskId,
  taskOf,
  taskSubjects,
  TIMER_CONSUMER,
  TIMER_STREAM,
  timerSubject,
  workSubjects,
} from './subjects';
export type { SnapshotSource, TaskLog } from './task-log';
export { decodeTimer, type SetTimer, type Timer, timerSetter } from './timers';
export { newWish } from './wish';
