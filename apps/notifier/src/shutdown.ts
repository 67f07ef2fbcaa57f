import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Deliveries } from './deliveries';
import { LeftOvers } from './left-overs';
import { type Stores, STORES } from './stores';

/** What is under way comes to its end; the rest is left to the others. */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly leftOvers: LeftOvers,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  beforeApplicationShutdown(): void {
    this.deliveries.stop();
    this.leftOvers.stop();
  }

  onApplicationShutdown(): void {
    this.stores.client.close();
    this.stores.queue.close();
    this.stores.inbox.close();
    this.stores.log.close();
  }
}
