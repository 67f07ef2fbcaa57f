import type { NatsConnection } from '@nats-io/nats-core';
import { JetStreamBlobs } from '@tidemark/blobs';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import { AgentDirectory } from '@tidemark/platform';
import { JetStreamPushConfigs } from '@tidemark/push';
import { KvSnapshots } from '@tidemark/read-model';

/** All that the apps would open. */
export async function openBuckets(nc: NatsConnection): Promise<void> {
  await KvSnapshots.open(nc, 1);
  await AgentDirectory.open(nc, 1);
  await JetStreamBlobs.open(nc, 1);
  await JetStreamPushConfigs.open(nc, { replicas: 1, keys: new DeploymentKeys(await withNewKeys()) });
}
