import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { AgentDirectory, Announcement, Logger } from '@tidemark/platform';
import { type AgentProfile, parseAgentProfile } from '@tidemark/protocol';

/** The agents that this gateway serves: all that were announced and not withdrawn, as they were last. */
@Injectable()
export class Agents implements OnModuleInit, OnModuleDestroy {
  readonly #profiles = new Map<string, AgentProfile>();
  readonly #stop = new AbortController();

  constructor(
    private readonly directory: AgentDirectory,
    private readonly logger: Logger,
  ) {}

  find(id: string): AgentProfile | undefined {
    return this.#profiles.get(id);
  }

  get ids(): string[] {
    return [...this.#profiles.keys()].sort();
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

  #take({ id, profile }: Announcement): void {
    if (profile === undefined) return void this.#profiles.delete(id);
    try {
      this.#profiles.set(id, parseAgentProfile(profile));
    } catch (err) {
      this.logger.warn({ err, agent: id }, 'an agent announced a profile that is not valid');
    }
  }
}
