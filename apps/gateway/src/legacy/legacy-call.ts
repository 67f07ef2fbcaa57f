import { legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { UnauthenticatedUser } from '@a2a-js/sdk/server';
import { Metadata, status } from '@grpc/grpc-js';
import { ProtocolError } from '@tidemark/protocol';
import type { Frame } from '../operations/streams';
import { CONTEXT } from './calls';
import { OperationsHandler, type Run } from './operations-handler';

/** Takes one event; where there is no room for more, resolves when there is. */
export type Write = (event: object) => Promise<void> | undefined;

/** What the service of the SDK says of an error. */
type Status = { readonly code: number; readonly details: string };

type Method = (call: object, callback?: (error: Status | null, answer: object) => void) => Promise<void>;

/**
 * One call of gRPC, translated by the service of the SDK. That one writes to a call whether there is room or not, does not
 * hear of a client that left, and has other statuses for errors: so it gets a call that only keeps what it says.
 */
export class LegacyCall {
  readonly #handler: OperationsHandler;
  readonly #said: { readonly request: object; readonly metadata: Metadata; readonly sendMetadata: () => void };

  constructor(request: object, run: Run) {
    this.#handler = new OperationsHandler(run);
    this.#handler.turnTo(request);
    this.#said = { request, metadata: new Metadata(), sendMetadata: () => undefined };
  }

  /** @throws what the operation refuses, or INVALID_PARAMS */
  answer(name: string): Promise<object> {
    return new Promise((resolve, reject) => {
      void this.#method(name)(this.#said, (error, answer) => {
        if (error) reject(this.#reason(error));
        else resolve('nextPageToken' in answer ? { ...answer, nextPageToken: this.#handler.nextPageToken } : answer);
      });
    });
  }

  /** Writes the events of a stream until it is over, or `signal` aborts. @throws what the operation refuses, or INVALID_PARAMS */
  async stream(name: string, signal: AbortSignal, write: Write): Promise<void> {
    let taken: Promise<void> | undefined;
    let failed: Status | undefined;
    this.#handler.follow(signal, () => taken);
    await this.#method(name)({
      ...this.#said,
      write: (event: Event) => (taken = write(ended(event, this.#handler.frame))),
      emit: (_name: 'error', error: Status) => (failed = error),
      end: () => undefined,
    });
    if (failed) throw this.#reason(failed);
  }

  #method(name: string): Method {
    const service = legacyGrpcService({
      requestHandler: this.#handler,
      userBuilder: () => Promise.resolve(new UnauthenticatedUser()),
      contextBuilder: () => CONTEXT,
    });
    return service[name] as unknown as Method;
  }

  /** What was refused here; else what the SDK found wrong with the request. */
  #reason(error: Status): unknown {
    if (this.#handler.refusal !== undefined) return this.#handler.refusal;
    const isInvalid = error.code === (status.INVALID_ARGUMENT as number);
    return isInvalid ? new ProtocolError('INVALID_PARAMS', { message: error.details }) : error;
  }
}

/** A `StreamResponse` of the protocol buffers of 0.3. */
type Event = { readonly payload?: { readonly $case: string; readonly value: object } };

/** The SDK calls a status final when it is terminal. 0.3 means the end of the stream, which a pause may be, too. */
function ended({ payload }: Event, frame: Frame | undefined): object {
  if (payload?.$case !== 'statusUpdate') return { payload };
  return { payload: { ...payload, value: { ...payload.value, final: frame?.isLast ?? false } } };
}
