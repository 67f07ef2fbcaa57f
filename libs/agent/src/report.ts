import type { Message, Report } from '@tidemark/domain';
import type { AgentOutput, Produced, Said } from './output';

/** What an agent yields, as the log takes it. */
export function toReport(output: AgentOutput): Report {
  switch (output.type) {
    case 'artifact':
      return toChunk(output.produced);
    case 'checkpoint':
      return { type: 'working', checkpoint: output.checkpoint };
    case 'token':
      return toChunk({ name: output.artifact, parts: [{ text: output.text }], append: true });
    case 'input-required':
    case 'auth-required':
      return { type: output.type, message: toMessage(output.said) };
    default:
      return { type: output.type, ...(output.said && { message: toMessage(output.said) }) };
  }
}

const toMessage = (said: Said): Message => ({ messageId: crypto.randomUUID(), role: 'agent', ...said });

function toChunk({ append, lastChunk, artifactId, ...rest }: Produced): Report {
  const artifact = { ...rest, artifactId: artifactId ?? rest.name };
  return { type: 'artifact', artifact, append: append ?? false, lastChunk: lastChunk ?? false };
}
