import { artifact, completed, inputRequired, type Message, type TaskAgent, text, working } from 'tidemark/agent';
import { profile } from './profile.js';

const MAX_LINES = 20;

/** Asks one question, says how it is getting on, and delivers its result line by line. */
export const agent: TaskAgent = {
  profile,

  async *run({ task }) {
    // Each message of the user begins a turn. The first one names the subject, the second one answers the question.
    const [subject, answer] = task.history.toArray().filter(isUser).map(wordsOf);
    if (answer === undefined) {
      yield inputRequired('How many lines shall I write?');
      return;
    }

    const lines = Math.min(Number(/\d+/.exec(answer)?.[0] ?? 3), MAX_LINES);
    yield working(`Writing ${lines} lines about ${subject}`);
    for (let line = 1; line <= lines; line++) {
      yield artifact({ name: 'lines', parts: [text(`${line}. Something about ${subject}.\n`)], append: true });
    }
    yield completed();
  },
};

const isUser = ({ role }: Message): boolean => role === 'user';

const wordsOf = ({ parts }: Message): string => parts.map((part) => ('text' in part ? part.text : '')).join(' ');
