import type { Logger } from '@tidemark/platform';
import { AsyncLocalStorage } from 'node:async_hooks';
import { reasonOf } from './reason';

/** Whatever the code of an agent throws: it must not be taken for an error of ours. */
export class AgentThrew extends Error {
  override readonly name = 'AgentThrew';

  constructor(readonly error: unknown) {
    super(reasonOf(error));
  }
}

/** Who is told of an error that belongs to nobody, by what was going on when it was let go. */
const listeners = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Does something with code of an agent. `stray` rejects where that code lets an error go: a promise that nobody awaits,
 * a timer that throws. It ends this one turn, and not the process with all the others.
 */
export function withStrays<T>(act: (stray: Promise<never>) => Promise<T>): Promise<T> {
  let tell: (error: unknown) => void = () => undefined;
  const stray = new Promise<never>((_, reject) => (tell = (error) => reject(new AgentThrew(error))));
  stray.catch(() => undefined); // it may come when nobody listens any more
  return listeners.run(tell, () => act(stray));
}

/** For the process: what no agent has let go is a fault of ours, and ends it. */
export function catchStrays(logger: Logger): void {
  const take = (err: unknown): void => {
    const tell = listeners.getStore();
    if (!tell) {
      logger.fatal({ err }, 'an error that nobody expects');
      process.exit(1);
    }
    logger.error({ err }, 'an agent has let an error go');
    tell(err);
  };
  process.on('unhandledRejection', take);
  process.on('uncaughtException', take);
}
