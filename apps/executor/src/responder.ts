import type { Agent, Enquiry } from '@tidemark/agent';
import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';
import {
  type AgentRef,
  agentOf,
  enquirySubjects,
  maxPayloadOf,
  respondersQueue,
  type TaskLog,
} from '@tidemark/event-log';
import { type Logger, type Share, Slots } from '@tidemark/platform';
import { type AgentAnswer, type EnquiryRequest, parseEnquiry } from '@tidemark/protocol';
import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, asAnswer, notNow, refusal, type Respondent } from './agent-answer';
import { reasonOf } from './reason';
import { referencesOf } from './references';

const DRAIN_MS = 10_000;
/** How long an asker waits that does not say. */
const TIMEOUT_MS = 60_000;

const BUSY = notNow('The executor has too many enquiries at the moment');

export type ResponderOptions = {
  readonly nc: NatsConnection;
  readonly log: TaskLog;
  readonly logger: Pick<Logger, 'warn'>;
  /** Answers that are worked on at once; as many again may wait for their turn. */
  readonly concurrency: number;
  /** How long running answers may take at the shutdown. */
  readonly drainMs?: number;
};

/** Answers what agents are asked before there is a task. Executors of an agent share its enquiries. */
export class Responder implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  readonly #agents: readonly Respondent[];
  readonly #slots: Share;
  readonly #open = new Set<Promise<void>>();
  readonly #stops = new Set<AbortController>();
  #subscriptions: readonly Subscription[] = [];
  #drained?: Promise<void>;

  constructor(
    agents: readonly Agent[],
    private readonly options: ResponderOptions,
  ) {
    this.#agents = agents.flatMap((agent) => ('respond' in agent ? [agent] : []));
    this.#slots = new Slots(options.concurrency, 1).share();
  }

  /** Before the agents are announced: whoever reads of one can ask it. */
  onApplicationBootstrap(): void {
    this.#subscriptions = this.#agents.map((agent) => this.#listen(agent));
  }

  /** A readiness check: throws while not every agent can be asked here. */
  assertListening(): void {
    if (this.#subscriptions.some((subscription) => subscription.isClosed()))
      throw new Error('the broker does not let this executor answer enquiries');
  }

  /** From here on other executors are asked. Nothing else has to wait for the answers that are still to come. */
  onModuleDestroy(): void {
    this.#drained = this.#drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#drained;
  }

  #listen(agent: Respondent): Subscription {
    const { id } = agent.profile;
    return this.options.nc.subscribe(enquirySubjects(id), {
      queue: respondersQueue(id),
      callback: (error, msg) => {
        if (error) return this.options.logger.warn({ err: error, agent: id }, 'cannot listen for enquiries');
        const answering = this.#answer(agent, msg).finally(() => this.#open.delete(answering));
        this.#open.add(answering);
      },
    });
  }

  /** Never rejects. */
  async #answer(agent: Respondent, msg: Msg): Promise<void> {
    const stop = new AbortController();
    this.#stops.add(stop);
    let timer: NodeJS.Timeout | undefined;
    try {
      const request = parseEnquiry(msg.json());
      const place = placeOf(msg);
      timer = setTimeout(() => stop.abort(new Error('Nobody waits any more')), request.timeoutMs ?? TIMEOUT_MS);
      this.#reply(
        msg,
        await this.#inTurn(stop.signal, () => this.#ask(agent, { place, request, signal: stop.signal })),
      );
    } catch (error) {
      this.options.logger.warn({ err: error, agent: agent.profile.id }, 'an enquiry is not valid');
      this.#reply(msg, refusal(reasonOf(error)));
    } finally {
      clearTimeout(timer);
      this.#stops.delete(stop);
    }
  }

  async #inTurn(signal: AbortSignal, act: () => Promise<AgentAnswer>): Promise<AgentAnswer> {
    if (this.#open.size >= 2 * this.options.concurrency) return BUSY;
    if (!(await this.#slots.take(signal))) return notNow(reasonOf(signal.reason));
    try {
      return await act();
    } finally {
      this.#slots.release(1);
    }
  }

  #ask(agent: Respondent, { place, request, signal }: Asked): Promise<AgentAnswer> {
    const { message, contextId, extensions = [], principal, trace } = request;
    const references = () => referencesOf(this.options.log, { ...place, owner: principal }, message);
    const enquiry: Enquiry = { message, contextId, extensions, signal, references };
    return answerOf(agent, enquiry, (err) =>
      this.options.logger.warn({ err, ...place, contextId, trace }, 'an agent could not answer'),
    );
  }

  #reply(msg: Msg, answer: AgentAnswer): void {
    try {
      msg.respond(asAnswer(answer, maxPayloadOf(this.options.nc)));
    } catch (err) {
      this.options.logger.warn({ err, subject: msg.subject }, 'an answer could not be sent');
    }
  }

  async #drain(): Promise<void> {
    const over = new AbortController();
    const limit = delay(this.options.drainMs ?? DRAIN_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#idle(), limit]);
    over.abort();
    for (const stop of this.#stops) stop.abort(new Error('The executor stops'));
    await Promise.all(this.#open);
  }

  async #idle(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.map((subscription) => subscription.drain()));
    await Promise.all(this.#open);
  }
}

type Asked = { readonly place: AgentRef; readonly request: EnquiryRequest; readonly signal: AbortSignal };

function placeOf({ subject }: Msg): AgentRef {
  const place = agentOf(subject);
  if (!place) throw new Error(`${subject} is no subject of enquiries`);
  return place;
}
