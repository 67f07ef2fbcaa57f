import type { Nesting } from '../field-count';
import { type Fields, parseField } from './field-notation';
import { REQUEST_MESSAGES } from './request-messages';
import { TASK_MESSAGES } from './task-messages';

const MESSAGES = { ...REQUEST_MESSAGES, ...TASK_MESSAGES };
const IS_MESSAGE: ReadonlySet<string> = new Set([...Object.keys(MESSAGES), 'Struct', 'Value']);

/** Which fields of the messages of A2A 1.0 are messages. */
export const NESTING: Nesting = Object.fromEntries(
  Object.entries(MESSAGES).map(([name, fields]) => [name, nestedIn(fields)]),
);

function nestedIn(fields: Fields): Nesting[string] {
  const nested = Object.entries(fields).map(parseField);
  return Object.fromEntries(
    nested.filter(({ type }) => IS_MESSAGE.has(type)).map(({ number, type }) => [number, type]),
  );
}
