import type { ContextGraph } from '@tidemark/domain';
import {
  type AgentProfile,
  parseGetContextGraph,
  parseReplayWish,
  REPLAY_EXTENSION_URI,
  toAgentCard,
  toContextGraphResponse,
  toReplayMetadata,
} from '@tidemark/protocol';
import { codeIn, jsonIn, onlyCode, readDocument, sectionOf, tableIn } from './markdown';

const document = readDocument('docs/reference/extensions.md');

const PROFILE: AgentProfile = {
  ...{ id: 'echo', name: 'Echo', description: 'Says it again', version: '1.0.0' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [] },
};
const { capabilities } = toAgentCard(PROFILE, { publicUrl: 'https://gw.test', path: '' });
const uris = capabilities.extensions.map(({ uri }) => uri);

describe('docs/reference/extensions.md', () => {
  it('lists the extensions of an agent card, and no other', () => {
    expect(tableIn(sectionOf(document, '# Extensions')).map((row) => onlyCode(row.Extension))).toEqual(uris);
  });

  it('has a section for each of them', () => {
    const sections = document.split(/^## (?!Extensions of agents)/m).slice(1);
    expect(sections.map((section) => codeIn(section)[0])).toEqual(uris);
  });

  it('shows the metadata of the replay extension as it is written and read', () => {
    const [mark, cursor, key] = jsonIn(sectionOf(document, '## Replay'));
    const position = { version: 7, sequence: 1042 };
    expect(mark).toEqual(toReplayMetadata({ position, event: 'artifact' }));
    expect(parseReplayWish(cursor as Wish)).toEqual({ lastEventId: position });
    expect(parseReplayWish(key as Wish)).toEqual({ idempotencyKey: 'order-17' });
  });

  it('shows a request for a graph that is taken, and its result as it is written', () => {
    const [request, result] = jsonIn(sectionOf(document, '## The graph of a context')) as [
      Request,
      { contextId: string },
    ];
    expect([request.method, parseGetContextGraph(request.params)]).toEqual(['GetContextGraph', request.params]);
    expect(toContextGraphResponse(result.contextId, inLog(sectionOf(readSubjects(), '## Graphs of contexts')))).toEqual(
      result,
    );
  });
});

type Wish = { readonly [REPLAY_EXTENSION_URI]: { readonly lastEventId?: string; readonly idempotencyKey?: string } };
type Request = { readonly method: string; readonly params: unknown };

const readSubjects = (): string => readDocument('docs/reference/subjects.md');

/** The same graph as the projector answers it. */
const inLog = (section: string): ContextGraph =>
  (jsonIn(section)[1] as { readonly response: { readonly graph: ContextGraph } }).response.graph;
