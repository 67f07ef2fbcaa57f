import { completed, type TaskAgent, token } from '@tidemark/agent';
import { setTimeout as delay } from 'node:timers/promises';

const STORY = 'The tide comes in, and the tide goes out, and what it has written stays.';

/** Writes word by word, as a model does. The words are put together before they are stored. */
export const agent: TaskAgent = {
  profile: {
    id: 'writer',
    name: 'Writer',
    description: 'Writes a sentence word by word',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'write', name: 'Write', description: 'Tells a very short story', tags: ['streaming'] }],
  },

  async *run({ signal }) {
    for (const word of STORY.split(/(?<= )/)) {
      await delay(5, undefined, { signal });
      yield token(word, 'story');
    }
    yield completed();
  },
};
