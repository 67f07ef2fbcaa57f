import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { AgentDirectory, Announcement, Logger } from '@tidemark/platform';
import { type AgentProfile, parseAgentProfile } from '@tidemark/protocol';

/** What was announced, and when. */
export type Announced = { readonly profile: AgentProfile; readonly at: Date };

/** The agents that this gateway serves: all that were announced and not withdrawn, as they were last. */
@Injectable()
export class Agents implements OnModuleInit, OnModuleDestroy {
  readonly #announced = new Map<string, Announced>();
  readonly #stop = new AbortController();

  constructor(
    private readonly directory: AgentDirectory,
    private readonly logger: Logger,
  ) {}

  find(id: string): AgentProfile | undefined {
    return this.#announced.get(id)?.profile;
  }

  announced(id: string): Announced | undefined {
    return this.#announced.get(id);
  }

  get ids(): string[] {
    return [...this.#announced.keys()].sort();
  }

  async onModuleInit(): Promise<void> {
    for (const announcement of await this.directory.list()) this.#take(announcement);
    void this.#follow().catch((err: unknown) => this.logger.error({ err }, 'announcements are no longer followed'));
  }

  onModuleDestroy(): void {
    this.#stop.abort();
  }

  async #follow(): Promise<void> {
    for await (const announcement of this.directory.follow(this.#stop.signal)) this.#take(announcement);
  }

  /** The same announcement twice is one: what was made of its profile is still good. */
  #take({ id, profile, at }: Announcement): void {
    if (profile === undefined) return void this.#announced.delete(id);
    if (this.#announced.get(id)?.at.getTime() === at.getTime()) return;
    try {
      this.#announced.set(id, { profile: parseAgentProfile(profile), at });
    } catch (err) {
      this.logger.warn({ err, agent: id }, 'an agent announced a profile that is not valid');
    }
  }
}
