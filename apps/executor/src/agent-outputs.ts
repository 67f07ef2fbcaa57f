import { type AgentOutput, type HybridAgent, NonRetryableError, type TaskAgent, type Turn } from '@tidemark/agent';
import { parseAgentOutput, ProtocolError } from '@tidemark/protocol';
import { AgentThrew } from './strays';

/**
 * What an agent yields in a turn, looked at and copied: it may be written without types, and may change afterwards what
 * it has yielded.
 * @throws AgentThrew, and nothing else
 */
export async function* outputsOf(agent: TaskAgent | HybridAgent, turn: Turn): AsyncGenerator<AgentOutput, void> {
  try {
    for await (const value of iterable(agent.run(turn))) yield checked(value);
  } catch (error) {
    throw new AgentThrew(error);
  }
}

function iterable(given: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  const isObject = typeof given === 'object' && given !== null;
  if (isObject && Symbol.asyncIterator in given) return given as AsyncIterable<unknown>;
  if (isObject && Symbol.iterator in given) return given as Iterable<unknown>;
  Promise.resolve(given).catch(() => undefined); // a promise, because somebody forgot a star
  throw new NonRetryableError('The function run of the agent must be an async generator: async *run(turn) { ... }');
}

/** @throws NonRetryableError that names the field: the same agent would yield it again. */
function checked(value: unknown): AgentOutput {
  try {
    return parseAgentOutput(value);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const [fault] = error.violations;
    throw new NonRetryableError(`The agent has yielded no valid output: ${fault?.field} ${fault?.description}`);
  }
}
