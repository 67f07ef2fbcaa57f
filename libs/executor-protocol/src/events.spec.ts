import {
  decide,
  EVENT_TYPES,
  evolve,
  type Report,
  type Task,
  type TaskCommand,
  TaskError,
  type TaskEvent,
} from '@tidemark/domain';
import { decodeEvent } from '@tidemark/event-log';
import {
  addMessage,
  EXECUTOR,
  answered,
  aRef,
  cancelNow,
  chunk,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import fc from 'fast-check';
import { violationsOf } from './events';

const AT = '2026-01-15T09:30:00.000Z';
const DEADLINE = '2026-01-16T00:00:00.000Z';
const wish = { id: 'id-1', at: AT, actor: EXECUTOR };
const byTimer = { ...wish, actor: { kind: 'gateway', id: 'gateway-1' } as const };

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as never);
const jsonObject = fc.dictionary(fc.string(), json);
const content = fc.oneof(
  fc.record({ text: fc.string() }),
  fc.record({ raw: fc.base64String() }),
  fc.record({ url: fc.webUrl() }),
  fc.record({ data: json }),
);
const part = fc
  .tuple(content, fc.record({ metadata: jsonObject, filename: fc.string() }, { requiredKeys: [] }))
  .map(([given, described]) => ({ ...given, ...described }));
const message = fc.array(part, { maxLength: 3 }).map((parts) => ({ ...answered('x'), parts }));
const question = fc
  .array(part, { maxLength: 3 })
  .chain((parts) =>
    fc.constantFrom('m1', 'm2', 'm3').map((id) => ({ ...said('x', id), parts, referenceTaskIds: ['t'] })),
  );

const what: fc.Arbitrary<Report> = fc.oneof(
  fc.record({ type: fc.constant('working'), message, checkpoint: jsonObject }, { requiredKeys: ['type'] }),
  fc.constant<Report>({ type: 'working', handedOver: true }),
  fc.record({ type: fc.constant('working'), retry: fc.record({ reason: fc.string(), delayMs: fc.nat() }) }),
  fc.record({ type: fc.constant('input-required'), message }),
  fc.record({ type: fc.constant('auth-required'), message }),
  fc.record({ type: fc.constantFrom('completed', 'rejected'), message }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('failed'), cause: fc.constantFrom('error', 'attempts') }, { requiredKeys: ['type'] }),
  fc.boolean().map((append) => chunk('a', 'x', { append })),
);

const turn = fc.integer({ min: 1, max: 3 });
const version = fc.integer({ min: 1, max: 8 });

/** Rarely what ends a task, often what takes it on. */
const later: fc.Arbitrary<TaskCommand> = fc.oneof(
  { weight: 6, arbitrary: question.map((said) => addMessage(said)) },
  { weight: 12, arbitrary: version.map((trigger) => startTurn(trigger)) },
  { weight: 16, arbitrary: fc.tuple(turn, version, what).map(([n, seen, said]) => report(n, said, { seen })) },
  { weight: 4, arbitrary: fc.constantFrom('granted', 'denied').map((decision) => decided(decision)) },
  { weight: 4, arbitrary: fc.tuple(turn, version).map(([n, count]) => remind(n, count)) },
  fc.constantFrom<TaskCommand>(requestCancel(), cancelNow(), { ...byTimer, type: 'ExpireTask', deadline: DEADLINE }),
  turn.map((n) => ({ ...byTimer, type: 'ExpirePause', turn: n }) as const),
);
const decided = (decision: 'granted' | 'denied'): TaskCommand => ({ ...wish, type: 'DecideAuth', decision });
const remind = (n: number, count: number): TaskCommand => ({ ...byTimer, type: 'Remind', turn: n, count });
const first = question.chain((asked) =>
  fc
    .record(
      {
        requestMetadata: jsonObject,
        deadline: fc.constant(DEADLINE),
        trace: fc.string(),
      },
      { requiredKeys: [] },
    )
    .map((more) => submit(aRef(), { message: asked, extensions: ['urn:example:tone:v1'], ...more })),
);

/** The events of a task whose writers tried all of these commands, as they are stored. */
const history = fc.tuple(first, fc.array(later, { maxLength: 40 })).map(([begin, rest]) => {
  const events: TaskEvent[] = [];
  let task: Task | undefined;
  for (const command of [begin, ...rest]) {
    const event = attempt(task, command);
    if (!event) continue;
    events.push(JSON.parse(JSON.stringify(event)) as TaskEvent);
    task = evolve(task, event);
  }
  return events;
});

function attempt(task: Task | undefined, command: TaskCommand): TaskEvent | undefined {
  try {
    return decide(task, command);
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}

describe('the schemas of events', () => {
  it('take whatever the rules write', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(history, (events) => {
        for (const event of events) {
          met.add(event.type);
          expect([event, violationsOf(event)]).toEqual([event, []]);
        }
      }),
      { numRuns: 400, seed: 1 },
    );
    expect([...met].sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('take nothing that a reader of the log refuses', () => {
    const names = fc.constantFrom(
      ...['v', 'id', 'type', 'version', 'at', 'actor', 'message', 'turn', 'trigger', 'seen', 'artifact'],
      ...['tenant', 'contextId', 'owner', 'decision', 'count', 'checkpoint', 'note', 'deadline', 'extensions'],
    );
    let refused = 0;
    fc.assert(
      fc.property(history, names, fc.oneof(json, fc.constant(undefined)), (events, name, value) => {
        for (const event of events) {
          const spoilt = JSON.parse(JSON.stringify({ ...event, [name]: value })) as TaskEvent;
          if (violationsOf(spoilt).length > 0) refused++;
          else expect(decodeEvent(Buffer.from(JSON.stringify(spoilt)))).toEqual(spoilt);
        }
      }),
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('let members pass that are added later, and a content that is kept elsewhere', () => {
    const event = decide(undefined, submit(aRef()))!;
    const stored = { sha256: 'ab'.repeat(32), sizeBytes: 9_000_000, content: 'raw', bucket: 'B' };
    const message = { ...said('x'), parts: [{ stored, mediaType: 'image/png' }], later: 1 };
    expect(violationsOf({ ...event, message, later: true })).toEqual([]);
  });

  it.each([
    ['a part with two contents', { parts: [{ text: 'a', url: 'b' }] }, 'message.parts.0'],
    ['a part without any', { parts: [{}] }, 'message.parts.0'],
    ['a message of the agent from a user', { role: 'agent' }, 'message.role'],
  ])('name what is wrong with %s', (_, wrong, place) => {
    const event = decide(undefined, submit(aRef()))!;
    const spoilt = { ...event, message: { ...said('x'), ...wrong } };
    expect(violationsOf(spoilt)).toEqual([expect.stringMatching(`^${place}: `)]);
  });

  it('say which kinds of event there are', () => {
    expect(violationsOf({ type: 'done' })[0]).toMatch(/^type: must be one of submitted, /);
    expect(violationsOf(null)).toHaveLength(1);
  });
});
