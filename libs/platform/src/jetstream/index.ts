export { attachConsumers } from './attach-consumers';
export type { DurableConsumer } from './consumer-loop';
export { Poison, RetryLater } from './errors';
export { JETSTREAM, JetStreamContext, JetStreamEvent, PassThroughRpcFilter } from './jetstream-event';
export { JetStreamServer, type JetStreamServerOptions } from './jetstream-server';
export { type Share, Slots } from './slots';
