import {
  type AgentOutput,
  artifact,
  completed,
  inputRequired,
  type TaskAgent,
  text,
  type Turn,
  working,
} from '@tidemark/agent';
import type { Message } from '@tidemark/domain';

type Words = {
  readonly question: string;
  readonly progress: string;
  readonly amount: (digits: string) => string;
  readonly plan: (budget: string) => string;
};

const CHINESE: Words = {
  question: '我可以规划北京往返上海的差旅。请补充预算上限,例如 8000 元。',
  progress: '正在规划行程',
  amount: (digits) => `${digits} 元`,
  plan: (budget) =>
    `北京往返上海差旅计划(预算上限:${budget})\n` +
    '去程:北京南 → 上海虹桥,高铁二等座\n' +
    '住宿:虹桥商务区酒店两晚\n' +
    '返程:上海虹桥 → 北京南,高铁二等座',
};

const ENGLISH: Words = {
  question: 'I can plan a business trip from Beijing to Shanghai and back. What is the budget? For example, 8000 yuan.',
  progress: 'Planning the trip',
  amount: (digits) => `${digits} yuan`,
  plan: (budget) =>
    `Business trip from Beijing to Shanghai and back (budget: ${budget})\n` +
    'Out: Beijing South to Shanghai Hongqiao, high-speed train, second class\n' +
    'Stay: two nights at a hotel in the Hongqiao business district\n' +
    'Back: Shanghai Hongqiao to Beijing South, high-speed train, second class',
};

/**
 * Plans a business trip between Beijing and Shanghai, once it knows the budget: in Chinese where the user writes Chinese,
 * else in English. Deterministic: no model.
 */
export const tripPlanner: TaskAgent = {
  profile: {
    id: 'trip-planner',
    name: 'Trip planner',
    description: 'Plans a business trip from Beijing to Shanghai and back, within a budget',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'plan-trip',
        name: 'Plan a trip',
        description: 'Asks for the budget, then delivers the artifact `trip-plan`',
        tags: ['travel', 'planning'],
        examples: ['Plan my trip', 'The budget is 8000', '帮我规划下周从北京到上海的差旅', '预算上限 8000 元'],
      },
    ],
  },

  async *run(turn) {
    const words = wordsFor(turn);
    const budget = (await isAnswer(turn)) ? budgetIn(turn.message, words) : undefined;
    if (budget === undefined) yield inputRequired(words.question);
    else yield* plan(budget, words);
  },
};

function* plan(budget: string, words: Words): Iterable<AgentOutput> {
  yield working(words.progress);
  yield artifact({ name: 'trip-plan', parts: [text(words.plan(budget))], lastChunk: true });
  yield completed();
}

/** Chinese where anything that the user said in this task has a Chinese character. */
function wordsFor({ task, message }: Turn): Words {
  const said = [...task.history.toArray().filter(({ role }) => role === 'user'), message];
  return said.some((each) => /\p{Script=Han}/u.test(textIn(each))) ? CHINESE : ENGLISH;
}

/** The message answers a question: of this task, or of a waiting task that it refers to. */
async function isAnswer({ task, references }: Turn): Promise<boolean> {
  const questions = [CHINESE.question, ENGLISH.question];
  const hasAsked = task.history.toArray().some((each) => each.role === 'agent' && questions.includes(textIn(each)));
  return hasAsked || (await references()).tasks.some(({ status }) => status.state === 'input-required');
}

/** An amount where there is one, else the words themselves: whatever the user calls the limit is the limit. */
function budgetIn(message: Message, words: Words): string | undefined {
  const said = textIn(message).trim();
  const digits = /\d[\d,.]*\d|\d/.exec(said)?.[0];
  return digits ? words.amount(digits) : said || undefined;
}

const textIn = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('\n');
