export { type Artifact, type ArtifactChunk } from './artifact';
export type {
  AddMessage,
  CancelNow,
  DecideAuth,
  ExpirePause,
  ExpireTask,
  Remind,
  Report,
  ReportFromTurn,
  RequestCancel,
  StartTurn,
  SubmitTask,
  TaskCommand,
  Unwished,
  Wish,
} from './commands';
export { type ContextGraph, type ContextScope, referencesIn, type TaskEdge, type TaskNode } from './context-graph';
export { decide } from './decide';
export { TaskError, type TaskErrorCode } from './errors';
export {
  type Actor,
  EVENT_TYPES,
  type EventEnvelope,
  type EventPayload,
  type FailureCause,
  type Retry,
  type TaskEvent,
  type TaskEventType,
} from './events';
export { evolve, fold } from './evolve';
export { Grown } from './grown';
export type { JsonObject, JsonValue } from './json';
export { agentText, type Message, type Part, type PartContent, type StoredContent } from './message';
export { formatPosition, parsePosition, type Position, type Recorded, type Snapshot, START } from './position';
export {
  type AuthDecision,
  type Authorization,
  type CurrentTurn,
  hasUnseenMessage,
  type InterruptedState,
  isIdle,
  isInterrupted,
  isPaused,
  isSettled,
  isTerminal,
  newestUserMessage,
  type Task,
  type TaskRef,
  type TaskState,
  type TaskStatus,
  type TerminalState,
} from './task';
