import { artifact, completed, type TaskAgent } from '@tidemark/agent';

/** Gives back what it gets: the smallest agent, and a probe for everything around it. */
export const echo: TaskAgent = {
  profile: {
    id: 'echo',
    name: 'Echo',
    description: 'Answers every message with one artifact that holds the same parts',
    version: '1.0.0',
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['*/*'],
    skills: [
      {
        id: 'echo',
        name: 'Echo',
        description: 'Gives back the parts of a message, unchanged',
        tags: ['test'],
        examples: ['Hello'],
      },
    ],
  },

  async *run({ message }) {
    yield artifact({ name: 'echo', parts: message.parts, lastChunk: true });
    yield completed();
  },
};
