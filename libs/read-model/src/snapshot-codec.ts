import { type Artifact, Grown, type Message, type Part, type Snapshot, type Task } from '@tidemark/domain';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

/** Version of the stored format. One of another version counts as none, so that it may change freely. */
const SCHEMA = 1;
const COMPRESS_FROM_BYTES = 32_768;
const OPENING_BRACE = 0x7b;

const deflated = promisify<Uint8Array, Buffer>(deflate);
const inflated = promisify<Uint8Array, Buffer>(inflate);

/** JSON; deflated where it is large, which its first byte tells. */
export async function encodeSnapshot({ position, task }: Snapshot): Promise<Uint8Array> {
  const json = Buffer.from(JSON.stringify({ schema: SCHEMA, position, task }));
  return json.length > COMPRESS_FROM_BYTES ? deflated(json) : json;
}

/** Undefined where the bytes are no snapshot of this format. */
export async function decodeSnapshot(bytes: Uint8Array): Promise<Snapshot | undefined> {
  try {
    const json = bytes[0] === OPENING_BRACE ? Buffer.from(bytes) : await inflated(bytes);
    const value: unknown = JSON.parse(json.toString());
    return isStored(value) ? { position: value.position, task: revived(value.task) } : undefined;
  } catch {
    return undefined;
  }
}

/** A task as JSON has it: lists are plain. */
type PlainTask = Omit<Task, 'history' | 'artifacts'> & {
  readonly history: readonly Message[];
  readonly artifacts: readonly (Omit<Artifact, 'parts'> & { readonly parts: readonly Part[] })[];
};

type Stored = { readonly schema: typeof SCHEMA; readonly position: Snapshot['position']; readonly task: PlainTask };

function isStored(value: unknown): value is Stored {
  const { schema, position, task } = value as Partial<Stored>;
  return schema === SCHEMA && Number.isSafeInteger(position?.sequence) && task?.version === position?.version;
}

const revived = (task: PlainTask): Task => ({
  ...task,
  history: Grown.of(task.history),
  artifacts: task.artifacts.map((artifact) => ({ ...artifact, parts: Grown.of(artifact.parts) })),
});
