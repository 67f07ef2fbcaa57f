import { HttpStatus } from '@nestjs/common';
import { EXTENSIONS_HEADER, type Method, restFailure } from '@tidemark/protocol';
import type { Call } from '../callers/call';
import { refusalHeaders } from '../callers/unauthenticated';
import { type Visit, visitOf } from '../callers/visit';
import type { Front } from '../front';
import type { Exchange, StreamFormat } from '../http/event-sender';
import { EVENT_STREAM } from '../http/media-types';
import type { Answer } from '../operations/operation';
import { paramsOf } from './rest-params';
import { refuse, refusePath, send } from './rest-reply';
import { type Place, placeAt } from './routes';

/** What a request asks of which place. */
type Asked = { readonly place: Place; readonly verb: string; readonly method: Method };

/** HTTP+JSON (A2A 1.0.1, section 11). */
export class RestEndpoint {
  constructor(private readonly front: Front) {}

  /** Answers one request, whatever it asks for: with one reply, or with a stream of events. */
  async exchange(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const place = placeAt(request.url);
    const verb = request.method === 'HEAD' ? 'GET' : request.method;
    const route = place?.routes.find((one) => one.verb === verb);
    if (!place || !route) return refusePath(exchange);
    await this.#exchange(exchange, { place, verb, method: route.method });
  }

  async #exchange(exchange: Exchange, asked: Asked): Promise<void> {
    const { request, reply } = exchange;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      const { answer, call } = await this.#run(exchange, asked, visitOf(request, gone.signal, asked.place.agent));
      await this.#answer(exchange, answer, call);
    } catch (error) {
      const refusal = this.front.refusals.of(error);
      if (!reply.sent) refuse(exchange, restFailure(refusal), refusalHeaders(refusal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #run({ request }: Exchange, { place, verb, method }: Asked, visit: Visit) {
    const { admission, operations } = this.front;
    const { query, body, headers } = request;
    const caller = await admission.identify(visit);
    const params = paramsOf(verb, { query, body, headers }, place);
    const { call, profile } = admission.admit(visit, caller, { dialect: '1.0', tenant: params['tenant'] });
    return { call, answer: await operations.run(method, call, { params, profile }) };
  }

  #answer(exchange: Exchange, answer: Answer, { extensions }: Call): Promise<void> | void {
    const { request, reply } = exchange;
    if (extensions.length > 0) void reply.header(EXTENSIONS_HEADER, extensions.join(','));
    if (!('frames' in answer)) return send(exchange, HttpStatus.OK, answer.result ?? {});
    if (answer.isSpent && isEventSource(exchange)) return void reply.status(HttpStatus.NO_CONTENT).send();
    if (request.method === 'HEAD') return void reply.type(EVENT_STREAM).send();
    return this.front.sender.send(exchange, { frames: answer.frames, format: FORMAT, headers: {} });
  }
}

const FORMAT: StreamFormat = {
  frame: (response) => JSON.stringify(response),
  failure: (refusal) => JSON.stringify(restFailure(refusal)),
};

/**
 * A browser's EventSource comes back for ever unless it is answered with 204. It comes by GET, and brings the last id
 * in a header; whoever wants to see the end of a task again asks by POST, or in the query.
 */
const isEventSource = ({ request }: Exchange): boolean =>
  request.method === 'GET' && request.headers['last-event-id'] !== undefined;
