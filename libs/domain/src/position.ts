import type { TaskEvent } from './events';
import type { Task } from './task';

/** Where an event stands: its number within the task, and its sequence in the log. Both grow together. */
export type Position = { readonly version: number; readonly sequence: number };

/** Before the first event of a task. */
export const START: Position = { version: 0, sequence: 0 };

/** A stored event. */
export type Recorded = { readonly position: Position; readonly event: TaskEvent };

/** A task as it was at a position. */
export type Snapshot = { readonly task: Task; readonly position: Position };

const FORMAT = /^(0|[1-9]\d{0,15})-(0|[1-9]\d{0,15})$/;

/** `7-1042`: readable, without holes in its first number, opaque to clients. */
export const formatPosition = ({ version, sequence }: Position): string => `${version}-${sequence}`;

/** Undefined where the text is not what `formatPosition` writes. */
export function parsePosition(text: string): Position | undefined {
  const match = FORMAT.exec(text);
  return match ? { version: Number(match[1]), sequence: Number(match[2]) } : undefined;
}
