import { z } from 'zod';

export const SEQUENCE_HEADER = 'Nats-Expected-Last-Subject-Sequence';
export const FILTER_HEADER = 'Nats-Expected-Last-Subject-Sequence-Subject';

/** The headers of an append, which the stored event keeps. */
export const appendHeaders = z
  .looseObject({
    [SEQUENCE_HEADER]: z
      .string()
      .regex(/^\d+$/)
      .describe('Sequence in the log of the last event of the task that the writer has folded'),
    [FILTER_HEADER]: z
      .string()
      .regex(/^task\.[\w-]{1,64}\.[\w-]{1,64}\.[\w-]{1,64}\.>$/)
      .describe('All events of the task: byte for byte the same string for all of its writers'),
  })
  .describe('The expectation of a writer: the broker refuses the event if another one was stored first');

/** What the broker answers to an append. */
export const appendReply = z
  .looseObject({
    stream: z.string().optional().describe('Name of the stream'),
    seq: z.int().min(0).optional().describe('Sequence of the event in the log'),
    error: z
      .looseObject({
        code: z.int().describe('400 for a refusal, 503 where the outcome is not known'),
        err_code: z.int().describe('10071 or 10164: another event of the task was stored first'),
        description: z.string().describe('For people'),
      })
      .optional()
      .describe('Why nothing was stored'),
  })
  .describe('The answer of the broker to an append');
