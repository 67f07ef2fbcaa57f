import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import {
  Metadata,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { LEGACY_EXTENSIONS_HEADER, LEGACY_VERSION } from '@tidemark/protocol';
import type { Admitted } from '../callers/admission';
import type { Front } from '../front';
import { runIn } from './legacy-answer';
import { LegacyCall } from './legacy-call';
import { toGrpcStatus } from './grpc-status';
import { readRequest, visitOfCall } from './grpc-request';

/** A service as a gRPC server takes it. */
export type GrpcService = {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
};

type Unary = ServerUnaryCall<object, object>;
type Streaming = ServerWritableStream<object, object>;

/** `a2a.v1.A2AService` of A2A 0.3 (0.3.0, section 3.5.2), for the default agent: it has no way to name another one. */
export function legacyService(front: Front): GrpcService {
  const service = new LegacyGrpc(front);
  const implementation = Object.entries(LegacyA2AService).map(([name, { responseStream }]) => [
    name,
    responseStream
      ? (call: Streaming) => service.stream(name, call)
      : (call: Unary, callback: sendUnaryData<object>) => service.answer(name, call, callback),
  ]);
  return {
    definition: LegacyA2AService,
    implementation: Object.fromEntries(implementation) as UntypedServiceImplementation,
  };
}

class LegacyGrpc {
  constructor(private readonly front: Front) {}

  async answer(name: string, call: Unary, callback: sendUnaryData<object>): Promise<void> {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    try {
      const admitted = await this.#admit(call, gone.signal);
      const answer = await this.#translated(admitted, call).answer(name);
      call.sendMetadata(extensionsOf(admitted));
      callback(null, answer);
    } catch (error) {
      callback(toGrpcStatus(this.front.refusals.of(error)));
    }
  }

  /** The next event is made when the client's side has room for it; a client that leaves ends the stream. */
  async stream(name: string, call: Streaming): Promise<void> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    call.on('cancelled', leave);
    this.front.streams.signal.addEventListener('abort', leave);
    try {
      const admitted = await this.#admit(call, gone.signal);
      call.sendMetadata(extensionsOf(admitted));
      const write = (event: object) => (call.write(event) ? undefined : drained(call, gone.signal));
      await this.#translated(admitted, call).stream(name, gone.signal, write);
      call.end();
    } catch (error) {
      if (!call.cancelled) call.emit('error', toGrpcStatus(this.front.refusals.of(error)));
    } finally {
      call.off('cancelled', leave);
      this.front.streams.signal.removeEventListener('abort', leave);
    }
  }

  async #admit(call: Unary | Streaming, gone: AbortSignal): Promise<Admitted> {
    const visit = visitOfCall(call, gone);
    const caller = await this.front.admission.identify(visit);
    return this.front.admission.admit(visit, caller, { dialect: LEGACY_VERSION });
  }

  #translated(admitted: Admitted, { request }: Unary | Streaming): LegacyCall {
    return new LegacyCall(request, readRequest(runIn(this.front, admitted), request));
  }
}

function drained(call: Streaming, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    if (gone.aborted) return resolve();
    call.once('drain', done);
    gone.addEventListener('abort', done);
  });
}

function extensionsOf({ call }: Admitted): Metadata {
  const metadata = new Metadata();
  if (call.extensions.length > 0) metadata.set(LEGACY_EXTENSIONS_HEADER, call.extensions.join(','));
  return metadata;
}
