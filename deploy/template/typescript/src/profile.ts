import type { AgentProfile } from 'tidemark/agent';

/** What the agent says of itself: its card is made of it. */
export const profile = {
  id: 'my-agent',
  name: 'My agent',
  description: 'Writes a few lines about whatever you name',
  version: '0.1.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'write',
      name: 'Write',
      description: 'Asks how many lines you want, and writes them',
      tags: ['writing'],
      examples: ['the sea'],
    },
  ],
} satisfies AgentProfile;
