import { z } from 'zod';
import { count } from './message';

/** A pull from the durable consumer. */
export const pull = z
  .looseObject({
    batch: z.int().min(1).describe('How many messages at the most'),
    expires: count('How long to wait for the first, in nanoseconds').optional(),
    idle_heartbeat: count('How often the broker says that it still waits, in nanoseconds').optional(),
    no_wait: z.literal(true).optional().describe('Only what is there now'),
  })
  .describe('Asks the durable consumer for work');

/** A read of the log that makes no consumer. */
export const directGet = z
  .looseObject({
    last_by_subj: z.string().optional().describe("The newest event of a task: with the task's filter"),
    seq: count('The first event at this sequence or after it').optional(),
    next_by_subj: z.string().optional().describe("Only events of a task: with the task's filter"),
    batch: z.int().min(1).optional().describe('How many; never more than there are'),
  })
  .describe('Asks the log for stored events');
