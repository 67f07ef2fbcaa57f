import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type Method, ProtocolError } from '@tidemark/protocol';
import type { Admitted } from '../callers/admission';
import type { Front } from '../front';
import type { Answer } from '../operations/operation';
import type { Frame, Frames } from '../operations/streams';
import type { LegacyEvent, Translation } from './calls';
import { OperationsHandler } from './operations-handler';

/** The answer to one call. @throws what the operation refuses, InvalidParamsError */
export function resultOf<Result>(
  front: Front,
  admitted: Admitted,
  ask: (translation: Translation) => Promise<Result>,
): Promise<Result> {
  return ask(new LegacyRestTransportHandler(new OperationsHandler(runIn(front, admitted))));
}

/** The events of one stream; what could be refused has been. @throws what the operation refuses, InvalidParamsError */
export async function framesOf(
  front: Front,
  admitted: Admitted,
  ask: (translation: Translation) => Promise<AsyncIterable<LegacyEvent>>,
): Promise<Frames<LegacyEvent>> {
  const handler = new OperationsHandler(runIn(front, admitted));
  const events = await ask(new LegacyRestTransportHandler(handler));
  await handler.opened();
  return async function* (signal) {
    for await (const frame of handler.inStep(events, signal)) yield ended(frame);
  };
}

/** Operations of 1.0 as a client of 0.3 finds them. */
export const runIn =
  ({ operations }: Front, { call, profile }: Admitted) =>
  async (method: Method, params: unknown): Promise<Answer> => {
    try {
      return await operations.run(method, call, { params, profile });
    } catch (error) {
      throw inLegacyTerms(method, error);
    }
  };

/** In 0.3 an agent without an extended card has an error of its own; 1.0 has that for one that only announces it. */
function inLegacyTerms(method: Method, error: unknown): unknown {
  const isNoCard = error instanceof ProtocolError && error.code === 'UNSUPPORTED_OPERATION';
  if (method !== 'GetExtendedAgentCard' || !isNoCard) return error;
  return new ProtocolError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', { message: error.message, metadata: error.metadata });
}

/** The SDK calls a status final when it is terminal. 0.3 means the end of the stream, which a pause may be, too. */
function ended({ response, ...frame }: Frame<LegacyEvent>): Frame<LegacyEvent> {
  const { isLast = false } = frame;
  return { ...frame, response: response.kind === 'status-update' ? { ...response, final: isLast } : response };
}
