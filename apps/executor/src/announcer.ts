import type { NatsConnection } from '@nats-io/nats-core';
import type { Agent } from '@tidemark/agent';
import { AgentDirectory } from '@tidemark/platform';

/** Tells the gateways which agents are hosted here. */
export class Announcer {
  constructor(
    private readonly nc: NatsConnection,
    private readonly agents: readonly Agent[],
    private readonly replicas: number,
  ) {}

  /** Doing so again is harmless, and makes good for a broker that has lost its store. */
  async announce(id: string): Promise<void> {
    const profile = this.agents.find((agent) => agent.profile.id === id)?.profile;
    if (profile) await (await AgentDirectory.open(this.nc, this.replicas)).announce({ id, profile });
  }
}
