import { artifact, completed, inputRequired, type TaskAgent, text } from '@tidemark/agent';

const RIDDLE = 'What has a bed and never sleeps?';

/** Asks, and does not wait for ever: it says so again each second, and gives up after three. */
export const agent: TaskAgent = {
  profile: {
    id: 'riddle',
    name: 'Riddle',
    description: 'Asks a riddle and waits three seconds for the answer',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'ask', name: 'Ask', description: 'Asks a riddle', tags: ['pause'] }],
    limits: { reminderMs: 1_000, pauseTimeoutMs: 3_000 },
  },

  async *run({ task, message }) {
    const isAsked = task.history.toArray().some(({ role }) => role === 'agent');
    if (!isAsked) {
      yield inputRequired(RIDDLE);
      return;
    }
    const isRight = message.parts.some((part) => 'text' in part && /\briver\b/i.test(part.text));
    yield artifact({ name: 'verdict', parts: [text(isRight ? 'right' : 'wrong: a river')] });
    yield completed();
  },
};
