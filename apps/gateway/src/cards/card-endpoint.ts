import { NotFoundException } from '@nestjs/common';
import type { Dialect } from '@tidemark/protocol';
import { createHash } from 'node:crypto';
import { askedVersion, visitOf } from '../callers/visit';
import type { Front } from '../front';
import type { Exchange } from '../http/event-sender';
import { sendDocument } from '../http/send-document';
import { varyBy } from '../http/vary';
import type { Announced } from './agents';

/** What is public about agents and keys. Nothing in it comes from the request: not even the name of this host. */
export class CardEndpoint {
  readonly #startedAt = new Date();

  constructor(private readonly front: Front) {}

  /** The card of the default agent, at the root. */
  root(exchange: Exchange): Promise<void> {
    return this.#send(exchange, { agent: this.front.gateway.defaultAgent, path: '' });
  }

  /** The card of an agent, at its own path. */
  one(exchange: Exchange, agent: string): Promise<void> {
    return this.#send(exchange, { agent, path: `agents/${agent}` });
  }

  /** The agents that are served here, and where their cards are. */
  list(exchange: Exchange): void {
    const { agents, gateway } = this.front;
    const base = gateway.publicUrl.replace(/\/+$/, '');
    const listed = agents.ids.flatMap((id) => {
      const profile = agents.find(id);
      if (!profile) return [];
      const { name, description, version } = profile;
      const url = `${base}/agents/${id}`;
      return [{ id, name, description, version, url, card: `${url}/.well-known/agent-card.json` }];
    });
    this.#answer(exchange, JSON.stringify({ defaultAgent: gateway.defaultAgent, agents: listed }));
  }

  /** The public halves of the keys that this deployment signs with (RFC 7517). */
  keys(exchange: Exchange): void {
    const { keys } = this.front;
    if (!keys) throw new NotFoundException('Nothing is signed here: this deployment has no keys');
    this.#answer(exchange, JSON.stringify(keys.jwks));
  }

  async #send(exchange: Exchange, { agent, path }: CardPlace): Promise<void> {
    const announced = this.front.agents.announced(agent);
    if (!announced) throw this.#noAgent(agent);
    const { body, etag } = await this.front.cards.document(announced.profile, path, versionOf(exchange));
    varyBy(exchange.reply, 'A2A-Version');
    sendDocument(exchange, { body, etag: `W/${etag}`, lastModified: this.#changedAt(announced) });
  }

  #answer(exchange: Exchange, body: string): void {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    sendDocument(exchange, { body, etag });
  }

  /** A card changes with its announcement, and with settings and keys, which are read at the start; never in the future. */
  #changedAt({ at }: Announced): Date {
    return new Date(Math.min(Date.now(), Math.max(at.getTime(), this.#startedAt.getTime())));
  }

  #noAgent(agent: string): NotFoundException {
    return new NotFoundException(`There is no agent ${agent} here; there are: ${this.front.agents.ids.join(', ')}`);
  }
}

/** The version that the client asks for; undefined where it does not say, or says one that is not served. */
function versionOf({ request }: Exchange): Dialect | undefined {
  return askedVersion(visitOf(request, new AbortController().signal));
}

type CardPlace = { readonly agent: string; readonly path: string };
