import { Slots } from './slots';

const never = new AbortController().signal;

describe('Slots', () => {
  it('gives each consumer a slot of its own, whatever the others hold', async () => {
    const slots = new Slots(3, 2);
    const [busy, idle] = [slots.share(), slots.share()];
    expect(busy.takeUpTo(10)).toBe(2);
    expect(await idle.take(never)).toBe(true);
    expect(idle.takeUpTo(1)).toBe(0);
  });

  it('gives a released slot to whoever waits longest', async () => {
    const slots = new Slots(3, 2);
    const [a, b] = [slots.share(), slots.share()];
    a.takeUpTo(2);
    b.takeUpTo(1);
    const order: string[] = [];
    const waitingB = b.take(never).then(() => order.push('b'));
    const waitingA = a.take(never).then(() => order.push('a'));
    a.release(1);
    await waitingB;
    a.release(1);
    await waitingA;
    expect(order).toEqual(['b', 'a']);
  });

  it('takes nothing for a consumer that stops waiting', async () => {
    const slots = new Slots(1, 1);
    const share = slots.share();
    share.takeUpTo(1);
    const stop = new AbortController();
    const waiting = share.take(stop.signal);
    stop.abort();
    expect(await waiting).toBe(false);
    share.release(1);
    expect(share.takeUpTo(5)).toBe(1);
  });
});
