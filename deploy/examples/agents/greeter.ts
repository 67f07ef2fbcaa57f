import { type MessageAgent, reply } from '@tidemark/agent';

/** Answers at once, so it makes no task: nothing of the conversation is stored. */
export const agent: MessageAgent = {
  profile: {
    id: 'greeter',
    name: 'Greeter',
    description: 'Greets whoever says a name',
    version: '1.0.0',
    mode: 'message',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'greet', name: 'Greet', description: 'Greets you by your name', tags: ['talk'], examples: ['Ada'] }],
  },

  async respond({ message }) {
    const [said] = message.parts;
    const name = said && 'text' in said ? said.text.trim() : '';
    return reply(name ? `Hello, ${name}!` : 'Hello! What is your name?');
  },
};
