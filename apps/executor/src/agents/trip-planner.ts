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

const QUESTION = '我可以规划北京往返上海的差旅。请补充预算上限,例如 8000 元。';

/** Plans a business trip between Beijing and Shanghai, once it knows the budget. Deterministic: no model. */
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
        examples: ['帮我规划下周从北京到上海的差旅', '预算上限 8000 元'],
      },
    ],
  },

  async *run(turn) {
    const budget = (await isAnswer(turn)) ? budgetIn(turn.message) : undefined;
    if (budget === undefined) yield inputRequired(QUESTION);
    else yield* plan(budget);
  },
};

function* plan(budget: string): Iterable<AgentOutput> {
  yield working('正在规划行程');
  yield artifact({ name: 'trip-plan', parts: [text(planFor(budget))], lastChunk: true });
  yield completed();
}

/** The message answers a question: of this task, or of a waiting task that it refers to. */
async function isAnswer({ task, references }: Turn): Promise<boolean> {
  if (task.history.toArray().some(({ role, parts }) => role === 'agent' && textIn({ parts }) === QUESTION)) return true;
  return (await references()).tasks.some(({ status }) => status.state === 'input-required');
}

/** An amount where there is one, else the words themselves: whatever the user calls the limit is the limit. */
function budgetIn(message: Message): string | undefined {
  const words = textIn(message).trim();
  const amount = /\d[\d,.]*\d|\d/.exec(words)?.[0];
  return amount ? `${amount} 元` : words || undefined;
}

const textIn = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('\n');

const planFor = (budget: string): string =>
  `北京往返上海差旅计划(预算上限:${budget})\n` +
  '去程:北京南 → 上海虹桥,高铁二等座\n' +
  '住宿:虹桥商务区酒店两晚\n' +
  '返程:上海虹桥 → 北京南,高铁二等座';
