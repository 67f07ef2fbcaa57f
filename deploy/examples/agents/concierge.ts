import { artifact, completed, type HybridAgent, makeTask, reply, text, working } from '@tidemark/agent';
import type { Message } from '@tidemark/domain';

/** Small talk is answered with a message; `plan ...` is work, and so a task. */
export const agent: HybridAgent = {
  profile: {
    id: 'concierge',
    name: 'Concierge',
    description: 'Talks with you, and plans what you ask it to plan',
    version: '1.0.0',
    mode: 'hybrid',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'plan',
        name: 'Plan',
        description: 'Plans an evening: the artifact `plan`',
        tags: ['planning', 'talk'],
        examples: ['plan a quiet evening', 'How are you?'],
      },
    ],
  },

  async respond({ message }) {
    return wish(message) ? makeTask() : reply('I am well. Say `plan ...`, and I plan it for you.');
  },

  async *run({ message }) {
    yield working('Looking around');
    yield artifact({ name: 'plan', parts: [text(`19:00 dinner, then ${wish(message) ?? 'a walk'}`)], lastChunk: true });
    yield completed();
  },
};

/** What is to be planned. */
function wish({ parts: [said] }: Message): string | undefined {
  return said && 'text' in said ? /^plan\s+(.+)/is.exec(said.text)?.[1] : undefined;
}
