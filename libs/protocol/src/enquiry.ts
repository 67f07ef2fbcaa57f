import type { JsonObject, Message } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { type FieldViolation, ProtocolError } from './errors';
import { LIMITS } from './limits';
import { parseParams, violationsOf } from './params';
import { part } from './part';
import { bool, id, int32, list, mustBe, protoMessage, struct, text } from './proto-json';
import { unsafePart } from './plain-json';

// What a gateway and an executor say to each other about a message that belongs to no task: plain JSON, so that a
// program in any language can answer.

/** A message that an agent is asked about. */
export type EnquiryRequest = {
  readonly message: Message;
  readonly contextId: string;
  /** Whose message it is. */
  readonly principal: string;
  /** Metadata of the client's request, as it came. */
  readonly requestMetadata?: JsonObject;
  /** URIs of the agent's extensions that the client declared with the request. */
  readonly extensions?: readonly string[];
  /** W3C trace context. */
  readonly trace?: string;
  /** How long the asker waits; later answers reach nobody. */
  readonly timeoutMs?: number;
};

/** A message; the wish for a task; or why there is neither. */
export type AgentAnswer =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'task' }
  | {
      readonly type: 'refused';
      readonly reason: string;
      /** The executor could not answer now; the same enquiry may well be answered later. */
      readonly retry?: true;
    };

const literal = <Value extends string>(value: Value) => z.literal(value, { error: mustBe(JSON.stringify(value)) });
const parts = () =>
  list(part, LIMITS.parts).refine((given) => given.length > 0, { error: 'must have at least one part' });

const question = protoMessage({
  messageId: id(),
  role: literal('user'),
  parts: parts(),
  metadata: struct().optional(),
  extensions: list(text(), LIMITS.listedStrings).optional(),
  referenceTaskIds: list(id(), LIMITS.referenceTaskIds).optional(),
}).transform((message): Message => defined(message));

const enquiry = protoMessage({
  message: question,
  contextId: id(),
  principal: text(),
  requestMetadata: struct().optional(),
  extensions: list(text(), LIMITS.listedStrings).optional(),
  trace: text().optional(),
  timeoutMs: int32(1).optional(),
}).transform((request): EnquiryRequest => defined(request));

const said = protoMessage({
  messageId: id(),
  role: literal('agent'),
  parts: parts(),
  metadata: struct().optional(),
  extensions: list(text(), LIMITS.listedStrings).optional(),
}).transform((message): Message => defined(message));

const ANSWERS: { readonly [Type in AgentAnswer['type']]: z.ZodType<Extract<AgentAnswer, { type: Type }>> } = {
  message: protoMessage({ type: literal('message'), message: said }),
  task: protoMessage({ type: literal('task') }),
  refused: protoMessage({ type: literal('refused'), reason: text(), retry: bool().optional() }).transform(
    ({ type, reason, retry }) => ({ type, reason, ...(retry && { retry: true as const }) }),
  ),
};

const TYPES = ['message', 'task', 'refused'] as const satisfies readonly AgentAnswer['type'][];
const typed = protoMessage({ type: z.enum(TYPES, { error: mustBe(`one of ${TYPES.join(', ')}`) }) });

/** What an executor is asked. @throws InvalidParamsError */
export const parseEnquiry = (value: unknown): EnquiryRequest => parseParams(enquiry, value);

/** What an executor answers. @throws ProtocolError INVALID_AGENT_RESPONSE with what is wrong */
export function parseAgentAnswer(value: unknown): AgentAnswer {
  const unsafe = unsafePart(value, 'answer');
  if (unsafe) throw invalid([unsafe]);
  const { type } = read(typed, value);
  return read<AgentAnswer>(ANSWERS[type], value);
}

function read<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(violationsOf(result.error, 'answer'));
}

const invalid = (violations: readonly FieldViolation[]) => new ProtocolError('INVALID_AGENT_RESPONSE', { violations });
