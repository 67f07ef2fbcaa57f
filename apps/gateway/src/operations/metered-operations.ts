import { type AgentProfile, type Method, ProtocolError } from '@tidemark/protocol';
import { anySignal } from '../callers/any-signal';
import type { Call } from '../callers/call';
import { revocationOf } from '../callers/revocation';
import { StreamPlaces } from '../callers/stream-places';
import type { Gateway } from '../gateway';
import type { Answer, Operations } from './operations';
import type { Frames } from './streams';

const STREAMING: ReadonlySet<Method> = new Set(['SendStreamingMessage', 'SubscribeToTask']);

/** The operations, for every binding: a stream has a place while it is read. All that waits ends with its credential. */
export class MeteredOperations {
  static of(operations: Operations, { callerLimits }: Pick<Gateway, 'callerLimits'>): MeteredOperations {
    return new MeteredOperations(operations, new StreamPlaces(callerLimits.streams));
  }

  constructor(
    private readonly operations: Pick<Operations, 'run'>,
    private readonly places: StreamPlaces,
  ) {}

  /** @throws ProtocolError RATE_LIMITED before anything is done, and whatever the operation throws */
  async run(method: Method, call: Call, request: { params: unknown; profile: AgentProfile }): Promise<Answer> {
    if (STREAMING.has(method)) this.places.assertLeft(call.source);
    const answer = await whileItCounts(call, (watched) => this.operations.run(method, watched, request));
    return 'frames' in answer ? { ...answer, frames: this.#metered(answer.frames, call) } : answer;
  }

  /** Whoever never reads the frames has no place. Of several that come at once, those that find none end at once. */
  #metered(frames: Frames, { source, gone, expiry, stillCounts }: Call): Frames {
    const { places } = this;
    return async function* (signal) {
      const free = places.take(source);
      const revocation = stillCounts && revocationOf(stillCounts);
      try {
        yield* frames(anySignal([signal, gone, ...(revocation ? [revocation.signal] : [])]));
        if (expiry?.aborted) throw new ProtocolError('UNAUTHENTICATED', ENDED);
        if (revocation?.signal.aborted) throw new ProtocolError('UNAUTHENTICATED', CALLED_BACK);
      } finally {
        revocation?.end();
        free();
      }
    };
  }
}

/** What waits for its answer, as a blocking call does, answers as it can once the credential is called back. */
async function whileItCounts(call: Call, run: (call: Call) => Promise<Answer>): Promise<Answer> {
  if (!call.stillCounts) return run(call);
  const revocation = revocationOf(call.stillCounts);
  try {
    return await run({ ...call, gone: anySignal([call.gone, revocation.signal]) });
  } finally {
    revocation.end();
  }
}

const CALLED_BACK = {
  message: 'The credential of this stream was called back: come back with another and the last id',
};
const ENDED = { message: 'The credential of this stream has expired: come back with a new one and the last id' };
