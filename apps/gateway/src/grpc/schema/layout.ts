import { JSON_LAYOUT, type Layout } from '../readable';
import { type Fields, parseField } from './field-notation';
import { REQUEST_MESSAGES } from './request-messages';
import { TASK_MESSAGES } from './task-messages';

const MESSAGES = { ...REQUEST_MESSAGES, ...TASK_MESSAGES };
const IS_LAID_OUT: ReadonlySet<string> = new Set([...Object.keys(MESSAGES), 'Struct', 'Value', 'string']);

/** What is in the messages of A2A 1.0. */
export const LAYOUT: Layout = {
  ...JSON_LAYOUT,
  ...Object.fromEntries(Object.entries(MESSAGES).map(([name, fields]) => [name, layoutOf(fields)])),
};

function layoutOf(fields: Fields): Layout[string] {
  const laidOut = Object.entries(fields).map(parseField);
  return Object.fromEntries(
    laidOut.filter(({ type }) => IS_LAID_OUT.has(type)).map(({ number, type }) => [number, type]),
  );
}
