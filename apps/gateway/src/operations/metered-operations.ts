import { type AgentProfile, type Method, ProtocolError } from '@tidemark/protocol';
import type { Call } from '../callers/call';
import { StreamPlaces } from '../callers/stream-places';
import type { Gateway } from '../gateway';
import type { Answer, Operations } from './operations';
import type { Frames } from './streams';

const STREAMING: ReadonlySet<Method> = new Set(['SendStreamingMessage', 'SubscribeToTask']);

/** The operations, for every binding: a stream has a place as long as it is open, and ends with its credential. */
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
    if (!STREAMING.has(method)) return this.operations.run(method, call, request);
    const free = this.places.take(call.source);
    try {
      const answer = await this.operations.run(method, call, request);
      if ('frames' in answer) return { ...answer, frames: whileAllowed(answer.frames, call, free) };
      free();
      return answer;
    } catch (error) {
      free();
      throw error;
    }
  }
}

/** `free` is called at the end, and also where the client leaves before the first frame was asked for. */
function whileAllowed(frames: Frames, { gone, expiry }: Call, free: () => void): Frames {
  gone.addEventListener('abort', free, { once: true });
  if (gone.aborted) free();
  return async function* (signal) {
    try {
      yield* frames(AbortSignal.any([signal, gone]));
      if (expiry?.aborted) throw new ProtocolError('UNAUTHENTICATED', ENDED);
    } finally {
      gone.removeEventListener('abort', free);
      free();
    }
  };
}

const ENDED = { message: 'The credential of this stream has expired: come back with a new one and the last id' };
