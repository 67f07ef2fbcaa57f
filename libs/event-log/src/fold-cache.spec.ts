import type { Snapshot } from '@tidemark/domain';
import { aRef, given, submit } from '@tidemark/testing';
import { FoldCache } from './fold-cache';

const ref = aRef();
const foldAt = (version: number, of = ref): Snapshot => ({
  task: given(submit(of)).task!,
  position: { version, sequence: version },
});

const versions = (cache: FoldCache, upTo: number[]) =>
  upTo.map((version) => cache.newest(ref, version)?.position.version);

describe('the fold cache', () => {
  it('keeps folds a step apart, in whatever order they come', () => {
    const cache = new FoldCache();
    for (const version of [9_000, 600, 700, 8_600, 1_200, 9_511, 9_512]) cache.offer(foldAt(version));
    expect(versions(cache, [599, 600, 1_199, 1_200, 8_999, 9_000, 9_511, 20_000])).toEqual([
      undefined,
      600,
      600,
      1_200,
      1_200,
      9_000,
      9_000,
      9_512,
    ]);
  });

  it('forgets the task that was used least recently', () => {
    const cache = new FoldCache();
    const others = Array.from({ length: 16 }, () => aRef());
    cache.offer(foldAt(600));
    for (const other of others.slice(0, 15)) cache.offer(foldAt(600, other));
    expect(cache.newest(ref, 600)).toBeDefined();
    cache.offer(foldAt(600, others[15]));
    expect(cache.newest(ref, 600)).toBeDefined();
    expect(cache.newest(others[0]!, 600)).toBeUndefined();
  });
});
