// A process of its own, so that making load and serving it do not share an event loop. One job, one result.
import { fill, load } from './load.mjs';
import { openStreams } from './open-streams.mjs';

const KINDS = { fill, load, 'open-streams': openStreams };

process.once('disconnect', () => process.exit(1));
process.once('message', async (job) => {
  const answer = await KINDS[job.kind](job).then(
    (result) => ({ result }),
    (error) => ({ error: error.message }),
  );
  process.send(answer, () => process.exit(0));
});
