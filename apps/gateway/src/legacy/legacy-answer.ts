import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type LegacySpelling, type Method, ProtocolError, toLegacyField } from '@tidemark/protocol';
import type { Admitted } from '../callers/admission';
import type { Front } from '../front';
import type { Answer } from '../operations/operation';
import type { Frame, Frames } from '../operations/streams';
import type { LegacyEvent, Translation } from './calls';
import { OperationsHandler } from './operations-handler';

/** A call that was let in, and how its client writes. */
export type Asking = Admitted & { readonly spelling: LegacySpelling };

/** The answer to one call. @throws what the operation refuses, InvalidParamsError */
export function resultOf<Result>(
  front: Front,
  asking: Asking,
  ask: (translation: Translation, source: OperationsHandler) => Promise<Result>,
): Promise<Result> {
  const source = new OperationsHandler(runIn(front, asking));
  return ask(new LegacyRestTransportHandler(source), source);
}

/** The events of one stream; what could be refused has been. @throws what the operation refuses, InvalidParamsError */
export async function framesOf(
  front: Front,
  asking: Asking,
  ask: (translation: Translation) => Promise<AsyncIterable<LegacyEvent>>,
): Promise<Frames<LegacyEvent>> {
  const handler = new OperationsHandler(runIn(front, asking));
  const events = await ask(new LegacyRestTransportHandler(handler));
  await handler.opened();
  return async function* (signal) {
    for await (const frame of handler.inStep(events, signal)) yield ended(frame);
  };
}

/** Operations of 1.0 as a client of 0.3 finds them. */
export const runIn =
  ({ operations }: Pick<Front, 'operations'>, { call, profile, spelling }: Asking) =>
  async (method: Method, params: unknown): Promise<Answer> => {
    try {
      return await operations.run(method, call, { params, profile });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error; // names no field that 0.3 calls otherwise
      throw inLegacyTerms(method, error).renamed((field) => toLegacyField(method, spelling, field));
    }
  };

/** In 0.3 an agent without an extended card has an error of its own; 1.0 has that for one that only announces it. */
function inLegacyTerms(method: Method, error: ProtocolError): ProtocolError {
  const isNoCard = error.code === 'UNSUPPORTED_OPERATION';
  if (method !== 'GetExtendedAgentCard' || !isNoCard) return error;
  return new ProtocolError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', { message: error.message, metadata: error.metadata });
}

/** The SDK calls a status final when it is terminal. 0.3 means the end of the stream, which a pause may be, too. */
function ended({ response, ...frame }: Frame<LegacyEvent>): Frame<LegacyEvent> {
  const { isLast = false } = frame;
  return { ...frame, response: response.kind === 'status-update' ? { ...response, final: isLast } : response };
}
