/** Makes one artifact for each size that it is told: `{ "sizes": [5000000] }`. What is in it follows from the size. */
export const agent = {
  profile: {
    id: 'maker',
    name: 'Maker',
    description: 'Makes artifacts of any size',
    version: '1.0.0',
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/octet-stream'],
    skills: [{ id: 'make', name: 'Make', description: 'Makes artifacts', tags: ['test'] }],
  },

  async *run({ message }) {
    for (const size of message.parts[0].data.sizes) {
      const raw = contentOf(size).toString('base64');
      const part = { raw, filename: `${size}.bin`, metadata: { size } };
      yield { type: 'artifact', produced: { name: `of ${size}`, parts: [{ text: 'see' }, part], lastChunk: true } };
    }
    yield { type: 'completed' };
  },
};

export const contentOf = (size) => Buffer.alloc(size, `the content of ${size} bytes, `);
