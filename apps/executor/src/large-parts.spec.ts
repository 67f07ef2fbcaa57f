import { artifact, completed, inputRequired, NonRetryableError, text, toReport, working } from '@tidemark/agent';
import { BlobsUnavailableError, MemoryBlobs } from '@tidemark/blobs';
import type { Part, Report, Snapshot, TaskRef } from '@tidemark/domain';
import { execute, LogUnavailableError, MemoryTaskLog } from '@tidemark/event-log';
import { aRef, said, submit } from '@tidemark/testing';
import { LargeParts } from './large-parts';
import { partsOf } from './report-parts';

const LIMITS = { inlinePartBytes: 1_000, maxPartBytes: 10_000, maxEventBytes: 20_000 };
const LARGE = 'x'.repeat(2_000);

let log: MemoryTaskLog;
let blobs: MemoryBlobs;

beforeEach(() => {
  log = new MemoryTaskLog();
  blobs = new MemoryBlobs();
});

const started = (ref: TaskRef = aRef(), referenceTaskIds: readonly string[] = []): Promise<Snapshot> =>
  execute(log, ref, submit(ref, { message: { ...said('hi'), referenceTaskIds } }));
const partsIn = ({ task }: Snapshot) =>
  new LargeParts({ log, blobs, limits: LIMITS, shutdown: new AbortController().signal }, task);
const produced = (...parts: Part[]) => toReport(artifact({ name: 'report', parts }));
const only = (report: Report) => partsOf(report)[0] as Part;
const textOf = async (parts: LargeParts, part: Part) => Buffer.from(await parts.read(part)).toString();

describe('a report', () => {
  it('is left as it is where it is small', async () => {
    for (const output of [working(), working('a'), completed('b'), artifact({ name: 'a', parts: [text('b')] })]) {
      const report = toReport(output);
      expect(await partsIn(await started()).offload(report)).toEqual(report);
    }
    expect(blobs.size).toBe(0);
  });

  it.each([
    ['an artifact', () => produced({ text: LARGE, filename: 'a.txt' })],
    ['progress', () => toReport(working(LARGE))],
    ['a question', () => toReport(inputRequired(LARGE))],
    ['a last word', () => toReport(completed(LARGE))],
  ])('that is %s has its large content stored before it is handed on, and can read it', async (_, report) => {
    const parts = partsIn(await started());
    const moved = only(await parts.offload(report()));
    expect(moved).toMatchObject({ stored: { sizeBytes: 2_000, content: 'text' } });
    expect(await textOf(parts, moved)).toBe(LARGE);
  });

  it('of many small parts is made to fit', async () => {
    const many = Array.from({ length: 40 }, (_, i) => text(`${i}`.padEnd(900)));
    const report = await partsIn(await started()).offload(produced(...many));
    expect(JSON.stringify(report).length).toBeLessThan(LIMITS.maxEventBytes);
    expect(partsOf(report)).toHaveLength(40);
  });

  it.each([
    [produced(text('a'), text('x'.repeat(10_001))), 'artifact "report", part 2: 10001 bytes, the limit is 10000'],
    [toReport(completed('x'.repeat(10_001))), 'message of "completed", part 1: 10001 bytes, the limit is 10000'],
  ])('with a part beyond the limit is refused by its name', async (report, message) => {
    const refusal = partsIn(await started()).offload(report);
    await expect(refusal).rejects.toThrow(NonRetryableError);
    await expect(refusal).rejects.toThrow(message);
    expect(blobs.size).toBe(0);
  });

  it.each([
    ['metadata of an artifact', () => toReport(artifact({ name: 'a', parts: [], metadata: { long: LONG } }))],
    ['a checkpoint', () => ({ type: 'working', checkpoint: { long: LONG } }) as const],
  ])('whose %s fits into no event is refused at once', async (_, report) => {
    await expect(partsIn(await started()).offload(report())).rejects.toThrow(/bytes without the content of parts/);
  });

  it('is to be tried again where the store is out of reach', async () => {
    blobs.put = () => Promise.reject(new BlobsUnavailableError('away'));
    await expect(partsIn(await started()).offload(produced(text(LARGE)))).rejects.toThrow(LogUnavailableError);
  });

  const LONG = 'x'.repeat(20_000);
});

describe('content of another task', () => {
  const elsewhere = async () => {
    const other = await started();
    return { other, part: only(await partsIn(other).offload(produced(text(LARGE)))) };
  };

  it('is read where the message refers to it, and becomes content of this task where it is handed on', async () => {
    const { other, part } = await elsewhere();
    const here = await started({ ...aRef() }, [other.task.taskId]);
    expect(await textOf(partsIn(here), part)).toBe(LARGE);
    expect(only(await partsIn(here).offload(produced(part)))).toEqual(part);
    const alone = { ...here, task: { ...here.task, history: (await started()).task.history } };
    expect(await textOf(partsIn(alone), part)).toBe(LARGE);
  });

  it('is refused where the message does not refer to it', async () => {
    const { part } = await elsewhere();
    const parts = partsIn(await started());
    await expect(parts.read(part)).rejects.toThrow(NonRetryableError);
    await expect(parts.offload(produced(part))).rejects.toThrow(/Neither this task nor one that it refers to/);
  });
});

describe('read', () => {
  it.each([
    [{ text: 'é' }, 'é'],
    [{ raw: Buffer.from('hi').toString('base64') }, 'hi'],
    [{ data: { a: [1] } }, '{"a":[1]}'],
  ] as [Part, string][])('gives the bytes of %j', async (part, expected) => {
    expect(await textOf(partsIn(await started()), part)).toBe(expected);
  });

  it('does not follow a URL', async () => {
    await expect(partsIn(await started()).read({ url: 'https://a.test' })).rejects.toThrow(/fetch the URL/);
  });

  it('refuses what is larger than any part may be', async () => {
    const stored = { sha256: '0'.repeat(64), sizeBytes: 10_001, content: 'raw' } as const;
    await expect(partsIn(await started()).read({ stored })).rejects.toThrow('A part has 10001 bytes');
  });
});
