export type Rule = {
  readonly id: `R${number}`;
  readonly level: 'MUST' | 'SHOULD';
  /** The heading of the rule in docs/reference/executor-protocol.md, where it is explained. */
  readonly says: string;
};

const rules = (level: Rule['level'], from: number, sentences: readonly string[]): Rule[] =>
  sentences.map((says, index) => ({ id: `R${from + index}`, level, says }));

/** What an executor has to do. The conformance suite judges each by its id. */
export const RULES: readonly Rule[] = [
  ...rules('MUST', 1, [
    'The agent is announced',
    'Work comes from the durable consumer of the agent',
    'A turn begins with its number and its trigger, and only where one is due',
    'Versions have no hole, and events stand in the order in which the agent speaks',
    'Every append names the last event of the task, and the one filter',
    'Every event is what the rules of the domain write',
    'A task ends once, and nothing follows',
    'A race that is lost loses nothing',
    'The agent gets the whole task, and unknown members pass through',
    'A pause settles the turn, and the answer starts the next one',
    'A decision about an authorization starts the next turn',
    'A message to a running turn reaches it, and starts no other',
    'A message that the turn did not take starts the next one',
    'A cancel ends the turn within the grace period',
    'A cancel from before the turn ends the task instead',
    'An agent that fails, rejects or breaks ends its task',
    'Work is acknowledged when its turn has settled, not before',
    'A long turn keeps its work',
    'Work that comes again is not done again',
    'What is no event, or of no task, stops nobody',
    'The work of an executor that died is taken over',
    'Nothing is stored of a turn that is no longer the current one',
    'Work that its executors died of too often fails',
    'Executors of one agent share its work',
    'A signal to stop is obeyed',
  ]),
  ...rules('SHOULD', 26, [
    'A turn that is stopped is handed over',
    'A restart of the broker costs no work',
    'Events carry the trace of their work item',
  ]),
];
