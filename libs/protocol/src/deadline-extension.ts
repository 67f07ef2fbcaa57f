import type { JsonObject } from '@tidemark/domain';
import { parseParams } from './params';
import { int32, protoMessage } from './proto-json';

/** Names the extension on the card, in the A2A-Extensions header and as the key of its metadata. */
export const DEADLINE_EXTENSION_URI = 'urn:tidemark:deadline:v1';

const MIN_MS = 1_000;

/** How the extension is declared on an agent card (A2A 1.0.1, section 4.4.4). */
export const DEADLINE_EXTENSION = {
  uri: DEADLINE_EXTENSION_URI,
  description:
    'A message that makes a task may say in its request metadata how long that task may take (timeoutMs, from 1000 on). ' +
    'A task that is not over by then fails, and its status says so. The metadata of a task says its deadline.',
} as const;

/** How long a new task may take, in milliseconds; undefined where the client does not say. Throws InvalidParamsError. */
export const parseTimeout = (metadata: JsonObject = {}): number | undefined =>
  parseParams(wishes, { metadata }).metadata[DEADLINE_EXTENSION_URI]?.timeoutMs;

/** The metadata of a task with a deadline. */
export const toDeadlineMetadata = (deadline: string): JsonObject => ({ [DEADLINE_EXTENSION_URI]: { deadline } });

const wish = protoMessage({ timeoutMs: int32(MIN_MS).optional() });
const wishes = protoMessage({ metadata: protoMessage({ [DEADLINE_EXTENSION_URI]: wish.optional() }) });
