import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type sendUnaryData,
  type ServerUnaryCall,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { type Dialect, EXTENSIONS_HEADER, ProtocolError } from '@tidemark/protocol';
import type { Front } from '../front';
import type { Answer } from '../operations/operation';
import type { Frames } from '../operations/streams';
import { type GrpcMethod, paramsOf, type Received } from './grpc-method';
import { toStatus } from './grpc-status';
import { grpcVisit } from './grpc-visit';
import { type Outgoing, sendMessages } from './message-stream';
import { presenceOf } from './presence';

type Unary = ServerUnaryCall<Received, Buffer>;
type Streaming = Outgoing & { readonly request: Received };
type Asked = Pick<Unary, 'getPeer' | 'metadata' | 'request' | 'sendMetadata'>;

/** Answers the calls of a service, in one dialect of A2A. */
export class GrpcCalls {
  constructor(
    private readonly front: Front,
    private readonly dialect: Dialect,
  ) {}

  handlerOf(method: GrpcMethod): UntypedHandleCall {
    const unary: handleUnaryCall<Received, Buffer> = (call, reply) => void this.#unary(method, call, reply);
    const streaming: handleServerStreamingCall<Received, Buffer> = (call) => void this.#streaming(method, call);
    return method.responseStream ? streaming : unary;
  }

  async #unary(method: GrpcMethod, call: Unary, reply: sendUnaryData<Buffer>): Promise<void> {
    const { gone, end } = presenceOf(call, this.front.streams.signal);
    try {
      const answer = await this.#answer(method, call, gone);
      if ('frames' in answer) throw new ProtocolError('INTERNAL_ERROR');
      reply(null, method.write(answer.result));
    } catch (error) {
      reply(toStatus(this.front.refusals.of(error)));
    } finally {
      end();
    }
  }

  async #streaming(method: GrpcMethod, call: Streaming): Promise<void> {
    const { gone, end } = presenceOf(call, this.front.streams.signal);
    try {
      const answer = await this.#answer(method, call, gone);
      if (!('frames' in answer)) throw new ProtocolError('INTERNAL_ERROR');
      await this.front.streams.add(this.#send(method, call, { frames: answer.frames, gone }));
    } catch (error) {
      if (!call.cancelled) call.emit('error', toStatus(this.front.refusals.of(error)));
    } finally {
      end();
    }
  }

  /** The answer's own metadata are sent at once: nothing that could be refused is left. */
  async #answer({ operation }: GrpcMethod, asked: Asked, gone: AbortSignal): Promise<Answer> {
    const { admission, operations } = this.front;
    const visit = grpcVisit(asked, gone);
    const caller = await admission.identify(visit);
    const params = paramsOf(asked.request);
    const { call, profile } = admission.admit(visit, caller, { dialect: this.dialect, tenant: params['tenant'] });
    const answer = await operations.run(operation, call, { params, profile });
    asked.sendMetadata(initial(call.extensions));
    return answer;
  }

  async #send(method: GrpcMethod, call: Outgoing, { frames, gone }: Followed): Promise<void> {
    const { gateway, logger, streams } = this.front;
    const isAllSent = await sendMessages(call, written(method, frames, gone), {
      stallTimeoutMs: gateway.stallTimeoutMs,
      onCut: () => logger.info({ path: method.path }, 'cut a client that left its stream unread'),
      gone,
    });
    if (streams.signal.aborted) throw new ProtocolError('LOG_UNAVAILABLE', STOPPING);
    if (isAllSent) call.end();
  }
}

type Followed = { readonly frames: Frames; readonly gone: AbortSignal };

async function* written({ write }: GrpcMethod, frames: Frames, gone: AbortSignal): AsyncIterable<Buffer> {
  for await (const { response } of frames(gone)) yield write(response);
}

function initial(extensions: readonly string[]): Metadata {
  const metadata = new Metadata();
  if (extensions.length > 0) metadata.set(EXTENSIONS_HEADER, extensions.join(','));
  return metadata;
}

/** A stream that ended in order would look like a task that is over. */
export const STOPPING = { message: 'This gateway is stopping: subscribe again, with the position of the last event' };
