import {
  type BeforeApplicationShutdown,
  Controller,
  Get,
  Injectable,
  Module,
  ServiceUnavailableException,
} from '@nestjs/common';

/** Throws, with a sentence that says why, while its part is not ready. */
export type ReadinessCheck = () => void | Promise<void>;

const TIMEOUT_MS = 2_000;

/** What has to be in order before an app is sent work. Parts add their own checks. */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  readonly #checks = new Map<string, ReadinessCheck>();

  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check);
  }

  /** Not ready, for this reason, until the returned function is called. */
  hold(name: string, reason: string): () => void {
    this.add(name, () => {
      throw new Error(reason);
    });
    return () => void this.#checks.delete(name);
  }

  /** The sentence of each check that failed, by its name; empty where the app is ready. */
  async failures(): Promise<Readonly<Record<string, string>>> {
    const entries = await Promise.all([...this.#checks].map(async ([name, check]) => [name, await failure(check)]));
    return Object.fromEntries(entries.filter(([, reason]) => reason !== undefined)) as Record<string, string>;
  }

  beforeApplicationShutdown(): void {
    this.hold('shutdown', 'stopping');
  }
}

/** `/healthz`: the process is alive, whatever the broker does. `/readyz`: 200, or 503 with the checks that fail. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  alive() {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready() {
    const failing = await this.readiness.failures();
    if (Object.keys(failing).length > 0) throw new ServiceUnavailableException({ status: 'unavailable', failing });
    return { status: 'ok' };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness], exports: [Readiness] })
export class HealthModule {}

async function failure(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), limit]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
