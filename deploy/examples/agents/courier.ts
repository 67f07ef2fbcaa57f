import { artifact, checkpoint, completed, NonRetryableError, type TaskAgent, text } from '@tidemark/agent';

/**
 * Delivers parcels to a receiver that is often away. What an agent throws is tried again after a while; a checkpoint
 * tells the next attempt where this one got to; a `NonRetryableError` says that trying again is of no use.
 */
export const agent: TaskAgent = {
  profile: {
    id: 'courier',
    name: 'Courier',
    description: 'Delivers the parcels that a message names, one after the other',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'deliver', name: 'Deliver', description: 'Delivers `book, lamp`', tags: ['retry'] }],
    limits: { maxAttempts: 4 },
  },

  async *run({ message, attempt, checkpoint: known }) {
    const parcels = message.parts.flatMap((part) => ('text' in part ? part.text.split(/,\s*/) : []));
    if (parcels.includes('nothing')) throw new NonRetryableError('There is nothing to deliver');
    for (let done = Number(known?.['delivered'] ?? 0); done < parcels.length; done++) {
      if (done >= attempt) throw new Error('Nobody is at home');
      yield artifact({ name: 'receipt', parts: [text(`${parcels[done]}, attempt ${attempt}`)], append: true });
      yield checkpoint({ delivered: done + 1 });
    }
    yield completed();
  },
};
