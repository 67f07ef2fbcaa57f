import {
  ContentTypeNotSupportedError,
  ExtensionSupportRequiredError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { NonRetryableError } from '@tidemark/agent';
import { causesOf, codeOf } from './thrown';

const MAX_LENGTH = 200;

const REFUSALS = [
  ContentTypeNotSupportedError,
  ExtensionSupportRequiredError,
  RequestMalformedError,
  UnsupportedOperationError,
  VersionNotSupportedError,
];

/** What a remote agent's failure means for the turn: a refusal is final, all else may be better the next time. */
export function toRemoteError(error: unknown): Error {
  const causes = [...causesOf(error)];
  if (causes.some((cause) => cause instanceof TaskNotFoundError)) {
    return new NonRetryableError('The remote agent does not know the task any more', { cause: error });
  }
  const refusal = causes.find((cause) => REFUSALS.some((Refusal) => cause instanceof Refusal));
  if (refusal) return new NonRetryableError(`The remote agent refused: ${refusal.message.slice(0, MAX_LENGTH)}`);
  const code = causes.map(codeOf).find((each) => each !== undefined);
  if (code) return new Error(`The remote agent cannot be reached: ${code}`, { cause: error });
  const reason = causes.at(-1)?.message.slice(0, MAX_LENGTH) ?? 'nothing is known of why';
  return new Error(`The remote agent failed: ${reason}`, { cause: error });
}
