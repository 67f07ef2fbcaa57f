import { artifact, completed, type TaskAgent, text } from '@tidemark/agent';

/** A client that declares it wants to know which words were not found. */
const UNKNOWN_WORDS = 'https://example.com/extensions/unknown-words/v1';
const WORDS: Readonly<Record<string, string>> = { the: 'el', sea: 'mar', is: 'es', blue: 'azul' };

/** Has an extension of A2A of its own, and shows callers that the gateway knows more than it shows to others. */
export const agent: TaskAgent = {
  profile: {
    id: 'translator',
    name: 'Translator',
    description: 'Translates a few words into Spanish',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'translate', name: 'Translate', description: 'Word by word', tags: ['language'] }],
    extensions: [{ uri: UNKNOWN_WORDS, description: 'Adds to the metadata which words were not found' }],
    extended: { skills: [{ id: 'list', name: 'List', description: 'Every word it knows', tags: ['language'] }] },
  },

  async *run({ message, extensions }) {
    const words = message.parts.flatMap((part) => ('text' in part ? part.text.toLowerCase().split(/\s+/) : []));
    const parts = [text(words.map((word) => WORDS[word] ?? word).join(' '))];
    if (extensions.includes(UNKNOWN_WORDS)) {
      const unknown = words.filter((word) => !(word in WORDS));
      const metadata = { [UNKNOWN_WORDS]: { unknown } };
      yield artifact({ name: 'translation', parts, metadata, extensions: [UNKNOWN_WORDS] });
    } else {
      yield artifact({ name: 'translation', parts });
    }
    yield completed();
  },
};
