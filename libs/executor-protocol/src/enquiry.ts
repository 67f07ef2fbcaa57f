import { z } from 'zod';
import { agentMessage, count, jsonObject, text, userMessage } from './message';

/** What a gateway asks an agent that may answer without a task. */
export const enquiry = z
  .looseObject({
    message: userMessage,
    contextId: text('The conversation that the message belongs to'),
    principal: text('Who asks'),
    requestMetadata: jsonObject.optional().describe('Metadata of the request that brought the message'),
    extensions: z
      .array(z.string())
      .optional()
      .describe('URIs of the extensions of the card that the client declared with the request'),
    trace: z.string().optional().describe('W3C trace context of the call'),
    timeoutMs: count('How long the asker waits; a later answer reaches nobody').optional(),
  })
  .describe('A message that belongs to no task');

/** What the agent answers. */
export const answer = z
  .discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message').describe('The answer is a message: no task is made'),
      message: agentMessage,
    }),
    z.looseObject({ type: z.literal('task').describe('This is work: make a task of it') }),
    z.looseObject({
      type: z.literal('refused').describe('There is no answer'),
      reason: text('Why, for the caller'),
      retry: z.literal(true).optional().describe('It may well be answered later'),
    }),
  ])
  .describe('The answer to a message that belongs to no task');
