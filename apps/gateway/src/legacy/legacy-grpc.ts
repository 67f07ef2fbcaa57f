import { Metadata, type sendUnaryData, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js';
import { LEGACY_EXTENSIONS_HEADER, LEGACY_VERSION, ProtocolError } from '@tidemark/protocol';
import type { Admitted } from '../callers/admission';
import type { Front } from '../front';
import { STOPPING } from '../grpc/grpc-calls';
import { toStatus } from '../grpc/grpc-status';
import { paramsOf, type Received } from '../grpc/grpc-method';
import { grpcVisit } from '../grpc/grpc-visit';
import { isTaken } from '../grpc/message-stream';
import { presenceOf } from '../grpc/presence';
import { type LegacyGrpcMethod, openCall } from './grpc-checks';
import { runIn } from './legacy-answer';

export type Unary = ServerUnaryCall<Received<object>, object>;
export type Streaming = ServerWritableStream<Received<object>, object>;

/** Answers the calls of 0.3 over gRPC. */
export class LegacyGrpc {
  constructor(private readonly front: Front) {}

  async answer(name: LegacyGrpcMethod, call: Unary, callback: sendUnaryData<object>): Promise<void> {
    const { gone, end } = presenceOf(call, this.front.streams.signal);
    try {
      const admitted = await this.#admit(call, gone);
      const answer = await this.#translated(name, call, admitted).answer(name);
      call.sendMetadata(extensionsOf(admitted));
      callback(null, answer);
    } catch (error) {
      callback(toStatus(this.front.refusals.of(error)));
    } finally {
      end();
    }
  }

  async stream(name: LegacyGrpcMethod, call: Streaming): Promise<void> {
    const { gone, end } = presenceOf(call, this.front.streams.signal);
    try {
      const admitted = await this.#admit(call, gone);
      call.sendMetadata(extensionsOf(admitted));
      await this.front.streams.add(this.#send(name, call, { admitted, gone }));
    } catch (error) {
      if (!call.cancelled) call.emit('error', toStatus(this.front.refusals.of(error)));
    } finally {
      end();
    }
  }

  /** The next event is made when the client has taken the last; one that leaves, or takes nothing, ends the stream. */
  async #send(name: LegacyGrpcMethod, call: Streaming, { admitted, gone }: Followed): Promise<void> {
    const { gateway, logger, streams } = this.front;
    const over = new AbortController();
    const isOver = AbortSignal.any([gone, over.signal]);
    const onCut = (): void => logger.info({ path: call.getPath() }, 'cut a client that left its stream unread');
    const write = async (event: object): Promise<void> => {
      const options = { stallTimeoutMs: gateway.stallTimeoutMs, onCut, gone: isOver };
      if (!(await isTaken(call, event, options))) over.abort();
    };
    await this.#translated(name, call, admitted).stream(name, isOver, write);
    if (streams.signal.aborted) throw new ProtocolError('LOG_UNAVAILABLE', STOPPING);
    if (!isOver.aborted) call.end();
  }

  async #admit(call: Unary | Streaming, gone: AbortSignal): Promise<Admitted> {
    const visit = grpcVisit(call, gone);
    const caller = await this.front.admission.identify(visit);
    return this.front.admission.admit(visit, caller, { dialect: LEGACY_VERSION });
  }

  /** @throws PARSE_ERROR, InvalidParamsError */
  #translated(name: LegacyGrpcMethod, { request }: Unary | Streaming, admitted: Admitted) {
    return openCall(name, paramsOf(request), runIn(this.front, { ...admitted, spelling: 'message' }));
  }
}

type Followed = { readonly admitted: Admitted; readonly gone: AbortSignal };

function extensionsOf({ call }: Admitted): Metadata {
  const metadata = new Metadata();
  if (call.extensions.length > 0) metadata.set(LEGACY_EXTENSIONS_HEADER, call.extensions.join(','));
  return metadata;
}
