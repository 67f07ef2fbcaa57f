import { artifact, completed, data, type TaskAgent } from '@tidemark/agent';
import { createHash } from 'node:crypto';

/** Tells the size and the hash of whatever it gets. How large a part is, and where it is kept, is all the same to it. */
export const agent: TaskAgent = {
  profile: {
    id: 'digest',
    name: 'Digest',
    description: 'Answers with the size and the SHA-256 of each part of a message',
    version: '1.0.0',
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['application/json'],
    skills: [{ id: 'digest', name: 'Digest', description: 'Hashes files', tags: ['files'] }],
  },

  async *run({ message, read }) {
    const contents = await Promise.all(message.parts.map(read));
    const digests = contents.map((bytes) => ({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }));
    yield artifact({ name: 'digests', parts: digests.map((digest) => data(digest)) });
    yield completed();
  },
};
