import type { Snapshot } from '@tidemark/domain';
import { TaskIndexBehindError, type TasksInFlight, TaskIndexUnavailableError } from '@tidemark/read-model';
import { ProtocolError } from '@tidemark/protocol';
import { TaskQuota } from './task-quota';

/** The log and its index, as far as a quota sees them: how many tasks were made, and which of them are done. */
class Work {
  made = 0;
  done = 0;
  looks = 0;
  outage: Error | undefined;
  readonly warnings: unknown[] = [];

  readonly log = { lastSequence: async () => this.made + this.done };
  readonly logger = { warn: (given: unknown) => void this.warnings.push(given) };
  readonly index = {
    count: async (_tenant: string, asOf = 0): Promise<TasksInFlight> => {
      this.looks += 1;
      await new Promise(setImmediate);
      if (this.outage) throw this.outage;
      return { tasks: this.made - this.done, asOf };
    },
  };

  quota(atMost: number): TaskQuota {
    return new TaskQuota(this, atMost);
  }

  make = async (): Promise<Snapshot> => {
    await new Promise(setImmediate);
    this.made += 1;
    return { position: { version: 1, sequence: this.made + this.done } } as Snapshot;
  };
}

const isNew = async () => false;

async function outcomes(work: Work, quota: TaskQuota, count: number): Promise<string[]> {
  const tries = Array.from({ length: count }, () =>
    quota.within('acme', work.make, isNew).then(
      () => 'made',
      (error: unknown) => (error instanceof ProtocolError ? error.code : String(error)),
    ),
  );
  return (await Promise.all(tries)).sort();
}

const many = (count: number, outcome: string): string[] => Array.from({ length: count }, () => outcome);

describe('the tasks of a tenant', () => {
  let work: Work;

  beforeEach(() => {
    work = new Work();
  });

  it('are as many as the quota says, also where they come at once', async () => {
    const quota = work.quota(3);
    expect(await outcomes(work, quota, 10)).toEqual([...many(7, 'RATE_LIMITED'), ...many(3, 'made')]);
    expect(work.made).toBe(3);
    expect(await outcomes(work, quota, 2)).toEqual(many(2, 'RATE_LIMITED'));
  });

  it('have a place again as soon as one is done', async () => {
    const quota = work.quota(1);
    for (let i = 0; i < 5; i++) {
      expect(await outcomes(work, quota, 1)).toEqual(['made']);
      expect(await outcomes(work, quota, 1)).toEqual(['RATE_LIMITED']);
      work.done += 1;
    }
  });

  it('count wherever they were made', async () => {
    expect(await outcomes(work, work.quota(2), 2)).toEqual(['made', 'made']);
    const another = work.quota(2);
    await outcomes(work, another, 1); // it has not counted yet, and does so now
    expect(await outcomes(work, another, 1)).toEqual(['RATE_LIMITED']);
  });

  it('leave room where making one fails', async () => {
    const quota = work.quota(1);
    const failing = quota.within('acme', () => Promise.reject(new Error('no')), isNew);
    await expect(failing).rejects.toThrow('no');
    expect(await outcomes(work, quota, 1)).toEqual(['made']);
  });

  it('are given again to a retry, whatever the quota says', async () => {
    const quota = work.quota(1);
    await outcomes(work, quota, 1);
    const again = { position: { version: 1, sequence: 1 } } as Snapshot;
    expect(
      await quota.within(
        'acme',
        async () => again,
        async () => true,
      ),
    ).toBe(again);
  });

  it('that are refused are told the quota, and when to come again', async () => {
    const quota = work.quota(1);
    await outcomes(work, quota, 1);
    const refusal = await quota.within('acme', work.make, isNew).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', metadata: { retryAfterSeconds: '5' } });
    expect((refusal as Error).message).toContain('1 tasks');
  });

  it('have no limit while nobody counts them, which is said once, and have it again afterwards', async () => {
    const quota = work.quota(1);
    await outcomes(work, quota, 1);
    work.outage = new TaskIndexUnavailableError('No projector answers');
    expect(await outcomes(work, quota, 3)).toEqual(many(3, 'made'));
    expect(work.warnings).toEqual([{ err: work.outage, tenant: 'acme' }]);
    work.outage = undefined;
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
    await outcomes(work, quota, 1); // counts beside it
    expect(await outcomes(work, quota, 1)).toEqual(['RATE_LIMITED']);
  });

  it('keep their limit while the index is behind', async () => {
    const quota = work.quota(1);
    await outcomes(work, quota, 1);
    work.outage = new TaskIndexBehindError('The index has not come to event 1 yet');
    expect(await outcomes(work, quota, 2)).toEqual(many(2, 'RATE_LIMITED'));
  });

  it('are counted for all who wait at once: by the look of the first, and one after it', async () => {
    const quota = work.quota(1);
    await outcomes(work, quota, 1);
    work.looks = 0;
    await outcomes(work, quota, 100);
    expect(work.looks).toBe(2);
  });

  it('are not counted where there is no quota', async () => {
    expect(await outcomes(work, work.quota(0), 20)).toEqual(many(20, 'made'));
    expect(work.looks).toBe(0);
  });
});
