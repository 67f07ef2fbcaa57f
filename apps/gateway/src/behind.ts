import type { NatsConnection } from '@nats-io/nats-core';
import type { DeploymentKeys } from '@tidemark/keys';
import type { Logger } from '@tidemark/platform';
import type { Agents } from './cards/agents';
import type { Gateway } from './gateway';
import type { OpenStreams } from './http/open-streams';
import type { Stores } from './stores';

/** What is behind the front. */
export type Behind = {
  readonly nc: NatsConnection;
  readonly stores: Stores;
  readonly agents: Agents;
  readonly keys: DeploymentKeys | undefined;
  readonly gateway: Gateway;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};
