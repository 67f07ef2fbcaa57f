import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { executorConsumerName, STREAM } from '@tidemark/event-log';
import { AgentDirectory, type Announcement } from '@tidemark/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Broker } from './broker';
import { printable } from './printable';

/** Whether an executor asks for the work of an agent; `busy` where nobody does, but work is under way. */
export type Hosted = 'yes' | 'busy' | 'no';

export type KnownAgent = {
  readonly id: string;
  /** As its profile says; not there where that is no profile. */
  readonly name?: string;
  readonly version?: string;
  readonly announcedAt: string;
  readonly hosted: Hosted;
};

const profile = z.object({ name: z.string(), version: z.string() });

const NOT_FOUND = 404;
const LOOKS = 4;
const BETWEEN_MS = 100;

/** All that were announced and not taken off, by their ids. */
export async function knownAgents({ nc, replicas }: Broker): Promise<readonly KnownAgent[]> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  const announced = await (await AgentDirectory.open(nc, replicas)).list();
  const known = await Promise.all(announced.map((one) => described(manager, one)));
  return known.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** @throws Error where there is no such agent, or it is hosted and nobody insists. */
export async function removeAgent(broker: Broker, id: string, { isForced }: { isForced: boolean }): Promise<void> {
  const known = await knownAgents(broker);
  const found = known.find((agent) => agent.id === id);
  if (!found)
    throw new Error(`there is no agent ${id}; there are: ${known.map((agent) => agent.id).join(', ') || 'none'}`);
  if (found.hosted !== 'no' && !isForced) {
    throw new Error(
      `${id} is hosted now (${found.hosted}): its executor would announce it again at its next start or reconnect. ` +
        'End that executor first, or say --force',
    );
  }
  await (await AgentDirectory.open(broker.nc, broker.replicas)).remove(id);
}

export function agentLine({ id, name, version, announcedAt, hosted }: KnownAgent): string {
  const title = name === undefined ? 'with a profile that is none' : printable(`${name} ${version}`);
  return `${id}: ${title}, announced ${announcedAt}, hosted: ${hosted}`;
}

async function described(manager: JetStreamManager, { id, profile: given, at }: Announcement): Promise<KnownAgent> {
  const { data } = profile.safeParse(given);
  const said = data && { name: data.name, version: data.version };
  return { id, ...said, announcedAt: at.toISOString(), hosted: await hostedNow(manager, id) };
}

/** An executor that has just been given work asks for more a moment later: one look is not enough for a no. */
async function hostedNow(manager: JetStreamManager, agent: string): Promise<Hosted> {
  for (let look = 1; ; look++) {
    const hosted = await lookAt(manager, agent);
    if (hosted === 'yes' || look === LOOKS) return hosted;
    await delay(BETWEEN_MS);
  }
}

async function lookAt(manager: JetStreamManager, agent: string): Promise<Hosted> {
  try {
    const info = await manager.consumers.info(STREAM, executorConsumerName(agent));
    if (info.num_waiting > 0) return 'yes';
    return info.num_ack_pending > 0 ? 'busy' : 'no';
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return 'no';
    throw error;
  }
}
