/** Speaks only with clients that declare its extension, and says which of its extensions they have declared. */
export const agent = {
  profile: {
    id: 'consenting',
    name: 'Consenting',
    description: 'Says which extensions were declared',
    version: '1.0.0',
    provider: { organization: 'Example', url: 'https://example.test' },
    documentationUrl: 'https://example.test/docs',
    iconUrl: 'https://example.test/icon.png',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/json'],
    skills: [
      {
        id: 'say',
        name: 'Say',
        description: 'Says “ça va”',
        tags: ['test'],
        outputModes: ['application/json'],
        securityRequirements: [{ schemes: { bearer: { list: ['tasks'] } } }],
      },
    ],
    extensions: [
      {
        uri: 'urn:example:consent:v1',
        description: 'The user has agreed',
        required: true,
        params: { terms: [1, 'a'] },
      },
      { uri: 'urn:example:tone:v1' },
    ],
    extended: { description: 'Says more to those it knows' },
  },

  async *run({ message, extensions }) {
    const parts = [{ data: [...extensions] }];
    yield { type: 'artifact', produced: { name: 'declared', parts, extensions: ['urn:example:consent:v1'] } };
    const ends = message.parts[0].text === 'end';
    yield {
      type: ends ? 'completed' : 'input-required',
      said: { parts: [{ text: 'ok' }], extensions: ['urn:example:tone:v1'] },
    };
  },
};
