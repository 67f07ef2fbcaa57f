import { ERRORS, LEGACY_VERSION, toLegacyError } from '@tidemark/protocol';
import type { Admitted } from '../callers/admission';
import { refusalHeaders } from '../callers/unauthenticated';
import { type Visit, visitOf } from '../callers/visit';
import type { Front } from '../front';
import type { Exchange, StreamFormat } from '../http/event-sender';
import type { LegacyEvent } from './calls';
import { type Asking, framesOf, resultOf } from './legacy-answer';
import { extensionsOf } from './legacy-rpc';
import { toProtoEvent } from './proto-json';
import { bodyOf } from './rest-body';
import { findRoute, type FoundRoute, type RestParams } from './rest-routes';

/** Where a request of REST goes: the path below `v1/` as it is in the URL, and the agent that stands before it. */
export type RestPlace = { readonly path: string; readonly agent?: string };

/** HTTP+JSON of A2A 0.3: the paths below `v1/`, which 1.0 does not have. */
export class LegacyRest {
  constructor(private readonly front: Front) {}

  /** Answers one request: with one reply, or with a stream of them. */
  async exchange(exchange: Exchange, { path, agent }: RestPlace): Promise<void> {
    const { request, reply } = exchange;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      const visit = visitOf(request, gone.signal, agent);
      const caller = await this.front.admission.identify(visit);
      const admitted = this.front.admission.admit(visit, caller, { dialect: LEGACY_VERSION });
      const found = findRoute(request.method, path);
      const params = { ids: found.ids, said: saidIn(visit.query), body: bodyOf(request) };
      await this.#answer(exchange, admitted, { ...found, params });
    } catch (error) {
      const refusal = this.front.refusals.of(error);
      if (reply.sent) return;
      void reply.status(ERRORS[refusal.code].http).headers(refusalHeaders(refusal));
      void reply.type(JSON_TYPE).send(toLegacyError(refusal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #answer(exchange: Exchange, admitted: Admitted, { route, params }: Asked): Promise<void> {
    const headers = extensionsOf(admitted);
    const asking: Asking = { ...admitted, spelling: route.spellingOf?.(params.body) ?? 'body' };
    if ('stream' in route) {
      const frames = await framesOf(this.front, asking, (translation) => route.stream(translation, params));
      return this.front.sender.send(exchange, { frames, format: FORMAT, headers });
    }
    const answer = await resultOf(this.front, asking, (translation, source) =>
      route.answer(translation, params, source),
    );
    void exchange.reply.status(200).type(JSON_TYPE).headers(headers).send(JSON.stringify(answer));
  }
}

type Asked = FoundRoute & { readonly params: RestParams };

const JSON_TYPE = 'application/json; charset=utf-8';

const FORMAT: StreamFormat<LegacyEvent> = {
  frame: (event) => JSON.stringify(toProtoEvent(event)),
  failure: (refusal) => JSON.stringify(toLegacyError(refusal)),
};

/** Under either name; one that is empty is one that is not set. */
function saidIn(query: Visit['query']): RestParams['said'] {
  const of = (name: string, snake: string) => query(name) || query(snake) || undefined;
  return {
    historyLength: of('historyLength', 'history_length'),
    pageSize: of('pageSize', 'page_size'),
    pageToken: of('pageToken', 'page_token'),
    configId: of('configId', 'config_id'),
  };
}
