import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { START, type TaskRef } from '@tidemark/domain';
import { LogUnavailableError } from '@tidemark/event-log';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import { aRef, startNats, type TestNats } from '@tidemark/testing';
import { PUSH_CONFIG_STREAM, subjectOf } from './config-key';
import { TooManyConfigsError, UnreadableConfigError } from './errors';
import { JetStreamPushConfigs } from './jetstream-push-configs';
import { MemoryPushConfigs } from './memory-push-configs';
import type { PushConfig, PushConfigChange, PushConfigs } from './push-config';

const PER_TASK = 4;
const CANARY = 'c4nary-s3cret';

let nats: TestNats;
let nc: NatsConnection;
let keys: DeploymentKeys;

beforeAll(async () => {
  keys = new DeploymentKeys(await withNewKeys());
  nats = await startNats();
  nc = await connect({ servers: nats.url, timeout: 2_000, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});

afterAll(async () => {
  await nc.close();
  await nats.stop();
});

const openStored = (over: Partial<Parameters<typeof JetStreamPushConfigs.open>[1]> = {}) =>
  JetStreamPushConfigs.open(nc, { replicas: 1, keys, perTask: PER_TASK, ...over });

let clock = 0;

const aConfig = (ref: TaskRef, configId: string, over: Partial<PushConfig> = {}): PushConfig => ({
  ...ref,
  configId,
  url: `https://hooks.example.com/${configId}`,
  dialect: '1.0',
  after: START,
  createdAt: new Date(1_800_000_000_000 + clock++).toISOString(),
  ...over,
});

const secrets = {
  token: `${CANARY}-token`,
  authentication: { scheme: 'Bearer', credentials: `${CANARY}-credentials` },
};

const idsOf = async (configs: PushConfigs, ref: TaskRef) => (await configs.list(ref)).map(({ configId }) => configId);

describe.each([
  ['JetStreamPushConfigs', (): Promise<PushConfigs> => openStored()],
  ['MemoryPushConfigs', async (): Promise<PushConfigs> => new MemoryPushConfigs(PER_TASK)],
])('%s', (_, open) => {
  let configs: PushConfigs;

  beforeAll(async () => {
    configs = await open();
  });

  it('gives back what was put, with its secrets', async () => {
    const bare = aConfig(aRef(), 'a');
    const whole = aConfig(aRef(), 'b', { ...secrets, dialect: '0.3', after: { version: 3, sequence: 17 } });
    await configs.put(bare);
    await configs.put(whole);
    expect(await configs.get(bare)).toEqual(bare);
    expect(await configs.get(whole)).toEqual(whole);
  });

  it('lists those of one task, the oldest first', async () => {
    const [mine, theirs] = [aRef(), aRef()];
    for (const config of [aConfig(mine, 'z'), aConfig(theirs, 'y'), aConfig(mine, 'a')]) await configs.put(config);
    expect(await idsOf(configs, mine)).toEqual(['z', 'a']);
    expect(await idsOf(configs, { ...mine, tenant: 'other' })).toEqual([]);
    expect(await idsOf(configs, { ...mine, agent: 'other' })).toEqual([]);
  });

  it('replaces one of the same name, also where the task has no room for another', async () => {
    const ref = aRef();
    for (const id of ['a', 'b', 'c', 'd']) await configs.put(aConfig(ref, id));
    const again = aConfig(ref, 'b', { url: 'https://hooks.example.com/again' });
    await configs.put(again);
    expect(await configs.get(again)).toMatchObject(again);
    expect(await configs.list(ref)).toHaveLength(4);
  });

  it.each<[string, readonly (number | 'delete')[], readonly [first: number, after: number] | undefined]>([
    ['the first one', [3], undefined],
    ['one that replaced another', [3, 7], [0, 3]],
    ['one that began earlier than what it replaced', [3, 1], [0, 1]],
    ['the last of several', [5, 3, 7], [0, 3]],
    ['one after a deletion', [3, 'delete', 7], undefined],
    ['one that replaced one after a deletion', [3, 4, 'delete', 5, 7], [3, 5]],
  ])('knows of %s what it replaced', async (_, steps, expected) => {
    const ref = aRef();
    const at = (version: number) => ({ version, sequence: version });
    const put: PushConfig[] = [];
    for (const step of steps) {
      const config = aConfig(ref, 'a', step === 'delete' ? {} : { after: at(step) });
      put.push(config);
      await (step === 'delete' ? configs.delete(config) : configs.put(config));
    }
    const last = put.at(-1)!;
    const lineage = expected && { first: put[expected[0]]?.createdAt, after: at(expected[1]) };
    expect(await configs.get(last)).toEqual({ ...last, ...(lineage && { lineage }) });
  });

  it('has no room for one more than the limit, until one is deleted', async () => {
    const ref = aRef();
    for (const id of ['a', 'b', 'c', 'd']) await configs.put(aConfig(ref, id));
    await expect(configs.put(aConfig(ref, 'e'))).rejects.toThrow(TooManyConfigsError);
    expect(await configs.delete({ ...ref, configId: 'a' })).toBe(true);
    await configs.put(aConfig(ref, 'e'));
    expect(await idsOf(configs, ref)).toEqual(['b', 'c', 'd', 'e']);
  });

  it('never has more than the limit, however many are put at once', async () => {
    const ref = aRef();
    const ids = Array.from({ length: 12 }, (_, n) => `config-${n}`);
    const puts = await Promise.allSettled(ids.map((id) => configs.put(aConfig(ref, id))));
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(PER_TASK);
    expect(await configs.list(ref)).toHaveLength(PER_TASK);
  });

  it('has none after it was deleted, and says whether there was one', async () => {
    const config = aConfig(aRef(), 'a');
    await configs.put(config);
    expect(await configs.delete(config)).toBe(true);
    expect(await configs.delete(config)).toBe(false);
    expect(await configs.get(config)).toBeUndefined();
    expect(await configs.list(config)).toEqual([]);
  });

  it('tells whoever follows what is there, and then what changes', async () => {
    const ref = aRef();
    await configs.put(aConfig(ref, 'before'));
    const over = new AbortController();
    const seen: string[] = [];
    for await (const { ref: at, change } of ofTask(configs.follow(over.signal), ref)) {
      seen.push(`${change} ${at.configId}`);
      if (seen.length === 1) {
        await configs.put(aConfig(ref, 'after'));
        await configs.delete({ ...ref, configId: 'before' });
      }
      if (seen.length === 3) over.abort();
    }
    expect(seen).toEqual(['put before', 'put after', 'deleted before']);
  });
});

describe('JetStreamPushConfigs', () => {
  it('opens the bucket that another process makes, and adds to, at the same moment', async () => {
    const jsm = await jetstreamManager(nc);
    const late = await connect({ servers: nats.url });
    const request = late.request.bind(late);
    late.request = async (subject, ...rest) => {
      if (subject.endsWith(`STREAM.CREATE.${PUSH_CONFIG_STREAM}`)) await openStored();
      return request(subject, ...rest);
    };
    await jsm.streams.delete(PUSH_CONFIG_STREAM);
    const configs = await JetStreamPushConfigs.open(late, { replicas: 1, keys });
    expect(await configs.list(aRef())).toEqual([]);
    expect((await jsm.streams.info(PUSH_CONFIG_STREAM)).config.allow_msg_ttl).toBe(true);
    await late.close();
  });

  it('stores no secret in plain text', async () => {
    const configs = await openStored();
    const config = aConfig(aRef(), 'a', secrets);
    await configs.put(config);
    const stored = await read(config);
    expect(stored).toContain(config.url);
    expect(stored).not.toContain(CANARY);
  });

  it('opens no secret that was moved to another config', async () => {
    const configs = await openStored();
    const [mine, theirs] = [aConfig(aRef(), 'a'), aConfig(aRef(), 'a', secrets)];
    await configs.put(theirs);
    await write(mine, await read(theirs));
    await expect(configs.get(mine)).rejects.toThrow(UnreadableConfigError);
  });

  it.each(['', 'no JSON', '{"v":2}', '{"v":1,"url":7}'])(
    'hides none behind one that is stored as %j',
    async (bytes) => {
      const lost: UnreadableConfigError[] = [];
      const configs = await openStored({ onUnreadable: (error) => lost.push(error) });
      const ref = aRef();
      const [broken, whole] = [aConfig(ref, 'broken'), aConfig(ref, 'whole')];
      await configs.put(whole);
      await write(broken, bytes);
      expect(await idsOf(configs, ref)).toEqual(['whole']);
      expect(lost).toHaveLength(1);
      await expect(configs.get(broken)).rejects.toThrow(UnreadableConfigError);
      expect(await configs.delete(broken)).toBe(true);
      expect(await configs.get(broken)).toBeUndefined();
    },
  );

  it('reads with rotated keys what was sealed before, and nothing without them', async () => {
    const old = await withNewKeys();
    const before = await openStored({ keys: new DeploymentKeys(old) });
    const config = aConfig(aRef(), 'a', secrets);
    await before.put(config);
    const after = await openStored({ keys: new DeploymentKeys(await withNewKeys(old)) });
    expect(await after.get(config)).toEqual(config);
    await expect((await openStored()).get(config)).rejects.toThrow(UnreadableConfigError);
  });

  it('waits while the broker is away, for as long as it may', async () => {
    const [patient, hasty] = [await openStored(), await openStored({ patienceMs: 100 })];
    const config = aConfig(aRef(), 'a');
    await patient.put(config);
    await nats.kill();
    await expect(hasty.get(config)).rejects.toThrow(LogUnavailableError);
    const later = patient.put(aConfig(config, 'b'));
    await nats.start();
    await later;
    expect(await idsOf(patient, config)).toEqual(['a', 'b']);
  });
});

async function* ofTask(changes: AsyncIterable<PushConfigChange>, { taskId }: TaskRef) {
  for await (const change of changes) if (change.ref.taskId === taskId) yield change;
}

async function read(config: PushConfig): Promise<string> {
  const jsm = await jetstreamManager(nc);
  return (await jsm.streams.getMessage(PUSH_CONFIG_STREAM, { last_by_subj: subjectOf(config) }))?.string() ?? '';
}

async function write(config: PushConfig, value: string): Promise<void> {
  await nc.request(subjectOf(config), value);
}
