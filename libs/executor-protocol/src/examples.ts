import type { Message, TaskEvent, TaskEventType } from '@tidemark/domain';

const said = (role: Message['role'], text: string): Message => ({ messageId: `m-${role}`, role, parts: [{ text }] });

const envelope = (version: number, actor: TaskEvent['actor']) => ({
  v: 1 as const,
  id: `3e4b0d0a-6f0e-4c38-9f0b-0f2f6a6f1a${String(version).padStart(2, '0')}`,
  version,
  at: `2026-01-15T09:30:00.0${String(version).padStart(2, '0')}Z`,
  actor,
});

const byAlice = (version: number) => envelope(version, { kind: 'principal', id: 'alice' });
const byExecutor = (version: number) => envelope(version, { kind: 'executor', id: 'worker-1' });
const settled = { ...byExecutor(5), turn: 1, seen: 1 };

/** One event of each kind, as it stands in the log. */
export const EVENT_EXAMPLES: { readonly [Type in TaskEventType]: Extract<TaskEvent, { type: Type }> } = {
  submitted: {
    ...byAlice(1),
    type: 'submitted',
    ...{ tenant: 'acme', agent: 'trip-planner', taskId: '01a22cf7-9825-75cf-a376-68ef540e190a' },
    ...{ contextId: '699a3222-931a-46b5-b604-f943a67b95c6', owner: 'alice' },
    message: said('user', 'Plan a trip from Beijing to Shanghai'),
  },
  message: { ...byAlice(6), type: 'message', message: said('user', 'At most 8000 yuan') },
  working: { ...byExecutor(2), type: 'working', turn: 1, trigger: 1 },
  'input-required': { ...settled, type: 'input-required', message: said('agent', 'What may it cost?') },
  'auth-required': {
    ...settled,
    type: 'auth-required',
    message: said('agent', 'Please grant access to your calendar'),
  },
  artifact: {
    ...{ ...byExecutor(4), type: 'artifact', turn: 1 },
    artifact: { artifactId: 'trains', name: 'trains', parts: [{ text: 'G1, 09:00 to 13:28' }] },
    append: false,
    lastChunk: true,
  },
  completed: { ...settled, type: 'completed' },
  failed: { ...settled, type: 'failed', message: said('agent', 'The timetable cannot be read'), cause: 'error' },
  canceled: { ...byExecutor(6), type: 'canceled' },
  rejected: { ...settled, type: 'rejected', message: said('agent', 'Only trips within China') },
  'cancel-requested': { ...byAlice(5), type: 'cancel-requested' },
  'auth-decided': { ...envelope(6, { kind: 'operator', id: 'bob' }), type: 'auth-decided', decision: 'granted' },
  reminded: { ...envelope(6, { kind: 'gateway', id: 'gateway-1' }), type: 'reminded', turn: 1, count: 1 },
};

export const PROFILE_EXAMPLE = {
  ...{ id: 'trip-planner', name: 'Trip planner', version: '1.0.0' },
  description: 'Plans a business trip from Beijing to Shanghai and back',
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  skills: [
    { id: 'plan-trip', name: 'Plan a trip', description: 'Delivers the artifact `trip-plan`', tags: ['travel'] },
  ],
};

export const ENQUIRY_EXAMPLE = {
  ...{ message: said('user', 'Do you plan trips?'), contextId: '699a3222-931a-46b5-b604-f943a67b95c6' },
  principal: 'alice',
};

export const ANSWER_EXAMPLES = {
  message: { type: 'message', message: said('agent', 'Yes, within China') },
  task: { type: 'task' },
  refused: { type: 'refused', reason: 'The agent could not answer' },
};
