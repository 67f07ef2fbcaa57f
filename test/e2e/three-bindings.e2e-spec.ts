import { type AgentInterface, StreamResponse } from '@a2a-js/sdk';
import {
  type Client as SdkClient,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { Client, collect, type Event, said, upTo, versionOf } from './client';
import { System } from './system';

/** The bindings that a card lists. */
const BINDINGS = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

const transports = [new JsonRpcTransportFactory(), new RestTransportFactory(), new GrpcTransportFactory()];

let system: System;
let raw: Client;
let watchers: readonly (readonly [binding: string, client: SdkClient])[];

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  const { url } = system.app('gateway');
  raw = new Client(url);
  const card = await new DefaultAgentCardResolver().resolve(url);
  const current = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '1.0');
  const clientFor = (one: AgentInterface) =>
    new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces: [one] });
  watchers = await Promise.all(current.map(async (one) => [one.protocolBinding, await clientFor(one)] as const));
});

afterAll(() => system.stop());

/** What a frame says, whichever binding brought it. */
const plain = (frame: unknown): unknown => StreamResponse.toJSON(StreamResponse.fromJSON(frame));

type Watching = { readonly first: unknown; readonly rest: Promise<unknown[]> };

/** Begins to watch, and resolves once the first frame is there. */
async function watch(client: SdkClient, id: string): Promise<Watching> {
  const stream = client.resubscribeTask({ tenant: '', id });
  const { value } = await stream.next();
  const follow = async (): Promise<unknown[]> => {
    const frames: unknown[] = [];
    for await (const frame of stream) frames.push(StreamResponse.toJSON(frame));
    return frames;
  };
  return { first: value && StreamResponse.toJSON(value), rest: follow() };
}

describe('one task', () => {
  it('is watched over every binding that the card lists', () => {
    expect(watchers.map(([binding]) => binding)).toEqual(BINDINGS);
  });

  it('shows the same positions with the same content to a watcher on each binding', async () => {
    const { id } = await raw.send(said('plan my trip'));
    const reference = raw.subscribe(id);
    const begun = (await reference.next()).value as Event;
    const watching = await Promise.all(watchers.map(([, client]) => watch(client, id)));
    await raw.send(said('8000', { taskId: id }));
    const events = [begun, ...(await collect(reference))];

    expect(events.map(versionOf)).toEqual(upTo(8, 3));
    const wanted = events.map(({ result }) => plain(result));
    expect(events.map(({ id: position }) => position)).toEqual(wanted.map(positionIn));
    for (const { first, rest } of watching) expect([first, ...(await rest)]).toEqual(wanted);
  });
});

/** The position that a frame names in its metadata. */
function positionIn(frame: unknown): unknown {
  const [, position] = /"position":"(\d+-\d+)"/.exec(JSON.stringify(frame)) ?? [];
  return position;
}
