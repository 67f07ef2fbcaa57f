import { EVENT_TYPES, type TaskEventType } from '@tidemark/domain';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => typeof value === 'string' && value.length <= 30 && !Number.isNaN(Date.parse(value));
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const has = (checks: Readonly<Record<string, Check>>) => (value: unknown) =>
  isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isStored = has({
  sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  sizeBytes: isCount,
  content: (value) => value === 'raw' || value === 'text' || value === 'data',
});
const isParts: Check = (value) => Array.isArray(value) && value.every(has({ stored: maybe(isStored) }));
const isMessage = has({
  ...{ messageId: isText, role: (value) => value === 'user' || value === 'agent', parts: isParts },
  referenceTaskIds: maybe(isTexts),
});
const isArtifact = has({ artifactId: isText, parts: isParts });

const settled = { turn: isCount, seen: isCount, message: maybe(isMessage) };
const interrupted = { turn: isCount, seen: isCount, message: isMessage };

/** What the fold relies on in each kind of event. More members may be there. */
const PAYLOADS: Readonly<Record<TaskEventType, Check>> = {
  submitted: has({
    ...{ tenant: isText, agent: isText, taskId: isText, contextId: isText, owner: isText },
    message: isMessage,
    extensions: maybe(isTexts),
    deadline: maybe(isTime),
  }),
  message: has({ message: isMessage, extensions: maybe(isTexts) }),
  working: has({ turn: isCount, trigger: maybe(isCount), message: maybe(isMessage), checkpoint: maybe(isObject) }),
  'input-required': has(interrupted),
  'auth-required': has(interrupted),
  artifact: has({ turn: isCount, artifact: isArtifact }),
  completed: has(settled),
  failed: has(settled),
  rejected: has(settled),
  canceled: has({}),
  'cancel-requested': has({}),
  'auth-decided': has({ decision: (value) => value === 'granted' || value === 'denied', note: maybe(isText) }),
  reminded: has({ turn: isCount, count: isCount }),
};

const isEnvelope = has({
  v: (value) => value === 1,
  id: isText,
  version: (value) => isCount(value) && value !== 0,
  at: isTime,
  actor: has({ kind: isText, id: isText }),
});

/** True for an event of format 1 that every reader can fold. Whoever may publish may have published anything. */
export function isEventShape(value: unknown): boolean {
  if (!isObject(value) || !isEnvelope(value)) return false;
  const type = EVENT_TYPES.find((known) => known === value['type']);
  return type !== undefined && PAYLOADS[type](value);
}
