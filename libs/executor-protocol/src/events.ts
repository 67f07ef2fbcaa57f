import { EVENT_TYPES, type TaskEventType } from '@tidemark/domain';
import { z } from 'zod';
import { agentMessage, artifact, count, jsonObject, text, time, token, userMessage } from './message';

const actor = z
  .looseObject({
    kind: z.enum(['principal', 'executor', 'gateway', 'operator']).describe('A caller, or a part of Tidemark'),
    id: text('Its name; an executor has one of its own in each process'),
  })
  .meta({ id: 'Actor', description: 'Who caused the event' });

const envelope = {
  v: z.literal(1).describe('Version of the format'),
  id: z
    .string()
    .min(1)
    .describe('Made by the writer before the append: by it an append of unknown outcome is found again'),
  version: z.int().min(1).describe('1, 2, 3 ... within the task, without a hole'),
  at: time('When it happened; a new status has a later time than the one before it'),
  actor,
  trace: z.string().optional().describe('W3C trace context of the call that caused it'),
};

const turn = count('Number of the turn that it was said in: 1, 2, 3 ... within the task');
const seen = count('Every message of the user up to this version has reached the agent');
const requestMetadata = jsonObject.optional().describe('Metadata of the request that brought the message');
const maybeSaid = agentMessage.optional().describe('What the agent says about it');
const extensions = z
  .array(z.string())
  .optional()
  .describe('URIs of the extensions of the card that the client declared with the request');

const settles = { turn, seen, message: maybeSaid };
const pauses = { turn, seen, message: agentMessage.describe('What the user is asked for') };

const retry = z
  .looseObject({ reason: text('Why the attempt has failed'), delayMs: count('How long until the next one begins') })
  .meta({ id: 'Retry', description: 'The attempt has failed, and the next one begins after the delay' });

const PAYLOADS = {
  submitted: {
    tenant: token('Whose task it is'),
    agent: token('Who is to do it'),
    taskId: token('Made by the gateway'),
    contextId: text('The conversation that it belongs to'),
    owner: text('The principal that made it'),
    message: userMessage.describe('What is to be done'),
    requestMetadata,
    extensions,
    fingerprint: z.string().optional().describe('Hash of the request, where the call was idempotent'),
    deadline: time('When the task fails unless it is over').optional(),
  },
  message: { message: userMessage.describe('What the user says'), requestMetadata, extensions },
  working: {
    turn,
    trigger: z
      .int()
      .min(1)
      .optional()
      .describe('Starts the turn, for the event with this version; else it is progress'),
    message: maybeSaid,
    handedOver: z.literal(true).optional().describe('The executor stops: the next turn is no further attempt'),
    retry: retry.optional(),
    checkpoint: jsonObject.optional().describe('What the agent wants to know in its next attempt or turn'),
  },
  'input-required': pauses,
  'auth-required': pauses,
  artifact: {
    turn,
    artifact,
    append: z.boolean().describe('Add the parts to the artifact with this id; otherwise create or replace it'),
    lastChunk: z.boolean().describe('This artifact gets no more chunks'),
  },
  completed: settles,
  failed: {
    ...settles,
    cause: z
      .enum(['error', 'attempts', 'deadline', 'pause-expired'])
      .optional()
      .describe('Why, where it was not the agent that said so'),
  },
  canceled: {},
  rejected: settles,
  'cancel-requested': {},
  'auth-decided': {
    decision: z.enum(['granted', 'denied']).describe('About what the last auth-required asked for'),
    note: z.string().optional().describe('A word about it; never a secret'),
  },
  reminded: { turn, count: z.int().min(1).describe('1 for the first reminder of this pause, 2 for the second') },
} satisfies Readonly<Record<TaskEventType, z.ZodRawShape>>;

/** What each kind of event means, in half a line. */
export const MEANINGS: Readonly<Record<TaskEventType, string>> = {
  submitted: 'A new task; always its first event',
  message: 'The user says something more',
  working: 'Starts a turn, or tells of progress within one',
  'input-required': 'The agent asks its user; the turn has settled',
  'auth-required': 'Something has to be granted elsewhere; the turn has settled',
  artifact: 'A result, or a chunk of one',
  completed: 'The work is done; the task is over',
  failed: 'The agent could not; the task is over',
  canceled: 'The caller did not want it any more; the task is over',
  rejected: 'The agent would not; the task is over',
  'cancel-requested': 'The caller wants the running turn to end',
  'auth-decided': 'Somebody has decided about what an auth-required asks for',
  reminded: 'The task still waits for its user',
};

/** The events that only others write: an executor reads them. */
export const READ_ONLY = ['submitted', 'message', 'cancel-requested', 'auth-decided', 'reminded'] as const;

const schemaOf = (type: TaskEventType): z.ZodType =>
  z
    .looseObject({ ...envelope, type: z.literal(type).describe('As in the subject'), ...PAYLOADS[type] })
    .describe(MEANINGS[type]);

/** The schema of each kind of event, envelope included. */
export const EVENT_SCHEMAS = Object.fromEntries(EVENT_TYPES.map((type) => [type, schemaOf(type)])) as Readonly<
  Record<TaskEventType, z.ZodType>
>;

/** What is wrong with an event, as `member: reason`; empty where nothing is. */
export function violationsOf(event: unknown): string[] {
  const type = EVENT_TYPES.find((known) => known === (event as { type?: unknown } | null)?.type);
  if (!type) return [`type: must be one of ${EVENT_TYPES.join(', ')}`];
  const { error } = EVENT_SCHEMAS[type].safeParse(event);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}
