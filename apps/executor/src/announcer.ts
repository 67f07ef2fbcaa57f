import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Agent } from '@tidemark/agent';
import type { AgentDirectory } from '@tidemark/platform';

/** Tells the gateways which agents are hosted here. */
@Injectable()
export class Announcer implements OnApplicationBootstrap {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly agents: readonly Agent[],
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.agents.map(({ profile }) => this.directory.announce({ id: profile.id, profile })));
  }
}
