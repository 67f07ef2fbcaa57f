import { type AgentOutput, type Said, text } from '@tidemark/agent';
import type { Part, Task } from '@tidemark/domain';
import { canonical } from './plain-json';
import type { Told, ToldArtifact, ToldMessage, ToldState, ToldStatus, ToldTask } from './told';

/** What an agent yields, or that its task was canceled, which no agent of ours can say. */
export type Retold = AgentOutput | { readonly type: 'canceled'; readonly said?: Said };

type Chunk = { readonly artifact: ToldArtifact; readonly append: boolean; readonly lastChunk: boolean };

/**
 * Says in our words what another agent tells of its task, and nothing twice: it knows what is stored of the task, and
 * what it has said itself. A status update, a chunk and a message are news. A whole task is compared: an artifact that
 * has grown gets the parts that it lacks, one that is otherwise different is replaced, and a message of the agent with
 * the same content as one that is there counts as that one.
 */
export class Retelling {
  readonly #artifacts = new Map<string, Part[]>();
  readonly #said = new Map<string, number>();

  /** Key of the status that the other task had before the turn: shown again, it is no news. */
  past?: string;

  constructor({ artifacts, history }: Pick<Task, 'artifacts' | 'history'>, past?: string) {
    this.past = past;
    for (const { artifactId, parts } of artifacts) this.#artifacts.set(artifactId, parts.toArray());
    for (const { role, parts } of history) if (role === 'agent') this.#count(parts);
  }

  /** In order; whatever ends the turn is the last one. */
  retold(told: Told): readonly Retold[] {
    switch (told.kind) {
      case 'task':
        return this.#task(told.task);
      case 'message':
        return this.#answer(told.message);
      case 'status':
        return this.#status(told.status);
      case 'artifact':
        return [this.#chunk(told)];
    }
  }

  /** Once there is a task its answers are the task, and results are artifacts: so the message is one. */
  #answer({ said }: ToldMessage): readonly Retold[] {
    const artifact: ToldArtifact = { artifactId: 'answer', name: 'answer', ...said };
    return [this.#chunk({ artifact, append: false, lastChunk: true }), { type: 'completed' }];
  }

  #status(status: ToldStatus): readonly Retold[] {
    const { message } = status;
    if (message) this.#count(message.said.parts);
    return wordsFor(status);
  }

  #chunk({ artifact, append, lastChunk }: Chunk): Retold {
    const known = append ? (this.#artifacts.get(artifact.artifactId) ?? []) : [];
    for (const part of artifact.parts) known.push(part);
    this.#artifacts.set(artifact.artifactId, known);
    return {
      type: 'artifact',
      produced: { ...artifact, ...(append && { append: true }), ...(lastChunk && { lastChunk: true }) },
    };
  }

  #task(task: ToldTask): readonly Retold[] {
    const { status, artifacts } = task;
    const isNews = statusKey(status) !== this.past;
    const settling = isNews && isSettled(status) ? wordsFor(status) : [];
    const spoken = settling.length > 0 ? status.message : undefined;
    const messages = this.#unheard(messagesOf(task)).filter((message) => message !== spoken);
    return [
      ...messages.map(({ said }) => ({ type: 'working', said }) as const),
      ...artifacts.flatMap((artifact) => this.#difference(artifact)),
      ...settling,
    ];
  }

  /** The messages that were not said yet; from now on they are. */
  #unheard(messages: readonly ToldMessage[]): readonly ToldMessage[] {
    const left = new Map(this.#said);
    return messages.filter(({ said: { parts } }) => {
      const key = canonical(parts);
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      if (count <= 0) this.#count(parts);
      return count <= 0;
    });
  }

  #difference(artifact: ToldArtifact): readonly Retold[] {
    const known = this.#artifacts.get(artifact.artifactId);
    const { parts } = artifact;
    const isGrown = known?.every((part, at) => canonical(part) === canonical(parts[at])) ?? false;
    if (!known || !isGrown) return [this.#chunk({ artifact, append: false, lastChunk: false })];
    if (known.length === parts.length) return [];
    const rest = { ...artifact, parts: parts.slice(known.length) };
    return [this.#chunk({ artifact: rest, append: true, lastChunk: false })];
  }

  #count(parts: readonly Part[]): void {
    const key = canonical(parts);
    this.#said.set(key, (this.#said.get(key) ?? 0) + 1);
  }
}

/** Two statuses with the same key are the same one, shown twice. */
export const statusKey = ({ state, message, timestamp }: ToldStatus): string =>
  [state, message?.messageId ?? '', message ? '' : (timestamp ?? '')].join(' ');

/** Two statuses that say the same, whenever and under whichever id they say it. */
export const statusContent = ({ state, message }: ToldStatus): string => canonical([state, message?.said ?? null]);

/** True for a state in which the other agent waits or is done. */
export const isSettled = ({ state }: ToldStatus): boolean => !isGoingOn(state);

/** What the agent has said, in order, each once: some keep the message of the status in the history too. */
function messagesOf({ history, status }: ToldTask): readonly ToldMessage[] {
  const spoken = status.message;
  const past = history.filter(({ messageId }) => !spoken || messageId !== spoken.messageId || messageId === '');
  return [...past, ...(spoken ? [spoken] : [])].filter(({ isUser, said }) => !isUser && said.parts.length > 0);
}

const LAST_WORDS = {
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_CANCELED: 'canceled',
} as const;

const PAUSES = {
  TASK_STATE_INPUT_REQUIRED: { type: 'input-required', words: 'The agent waits for an answer' },
  TASK_STATE_AUTH_REQUIRED: { type: 'auth-required', words: 'The agent waits for an authorization' },
} as const;

const GOING_ON = ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'] as const;

const isGoingOn = (state: ToldState): state is (typeof GOING_ON)[number] => GOING_ON.some((each) => each === state);

const isPause = (state: ToldState): state is keyof typeof PAUSES => Object.hasOwn(PAUSES, state);

/** Nothing for progress without words: that the turn runs is known. */
function wordsFor({ state, message }: ToldStatus): readonly Retold[] {
  const said = message && message.said.parts.length > 0 ? message.said : undefined;
  if (isGoingOn(state)) return said ? [{ type: 'working', said }] : [];
  if (!isPause(state)) return [{ type: LAST_WORDS[state], ...(said && { said }) }];
  const { type, words } = PAUSES[state];
  return [{ type, said: said ?? { parts: [text(words)] } }];
}
