import type { Actor, Wish } from '@tidemark/domain';

/** What a command brings along that somebody gives now. */
export const newWish = (actor: Actor, trace?: string): Wish => ({
  ...{ id: crypto.randomUUID(), at: new Date().toISOString(), actor },
  ...(trace && { trace }),
});
