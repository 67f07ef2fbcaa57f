import { artifact, completed, type TaskAgent, working } from '@tidemark/agent';

/** Works until it is told to stop: messages to a running task reach the turn that runs. */
export const agent: TaskAgent = {
  profile: {
    id: 'listener',
    name: 'Listener',
    description: 'Notes whatever is said to it while it runs, until somebody says `stop`',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'note', name: 'Take notes', description: 'Notes every message', tags: ['conversation'] }],
  },

  async *run({ messages }) {
    yield working('I am listening');
    for await (const { parts } of messages) {
      if (parts.some((part) => 'text' in part && part.text === 'stop')) break;
      yield artifact({ name: 'notes', parts, append: true });
    }
    yield completed();
  },
};
