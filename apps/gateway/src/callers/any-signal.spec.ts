import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { anySignal } from './any-signal';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a time-out that is one of several signals comes, whatever is collected before', async () => {
  const gone = new AbortController();
  const aborted = Array.from({ length: 20 }, () => {
    const inner = anySignal([gone.signal, AbortSignal.timeout(100)]);
    const any = anySignal([inner, new AbortController().signal]);
    return new Promise<string>((resolve) =>
      any.addEventListener('abort', () => resolve((any.reason as Error).name), { once: true }),
    );
  });
  const collecting = setInterval(collectGarbage, 10);
  expect(new Set(await Promise.all(aborted))).toEqual(new Set(['TimeoutError']));
  clearInterval(collecting);
});
