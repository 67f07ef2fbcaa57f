import type { ContextGraph, TaskEdge, TaskNode } from '@tidemark/domain';
import { defined } from './defined';
import { parseParams } from './params';
import { id, optionalId, protoMessage } from './proto-json';
import { WIRE_STATES, type WireState } from './wire-state';

/** Names the extension on the card and in the A2A-Extensions header. */
export const CONTEXT_GRAPH_EXTENSION_URI = 'urn:tidemark:context-graph:v1';

/** How the extension is declared on an agent card (A2A 1.0.1, section 4.4.4). */
export const CONTEXT_GRAPH_EXTENSION = {
  uri: CONTEXT_GRAPH_EXTENSION_URI,
  description:
    'The method GetContextGraph with a contextId gives the tasks of that context, of every agent here, and an edge for ' +
    "each task that they name in referenceTaskIds. An edge to a task that is not there, or not the caller's, says so.",
} as const;

export type GetContextGraphRequest = { readonly contextId: string; readonly tenant?: string };

const getContextGraph = protoMessage({ contextId: id(), tenant: optionalId() });

/** Throws InvalidParamsError. */
export const parseGetContextGraph = (params: unknown): GetContextGraphRequest =>
  defined(parseParams(getContextGraph, params));

export type WireTaskNode = {
  readonly taskId: string;
  readonly agent: string;
  readonly contextId: string;
  readonly status: { readonly state: WireState; readonly timestamp: string };
  readonly createdAt: string;
};

/** All four members are always there. */
export type ContextGraphResponse = {
  readonly contextId: string;
  readonly nodes: readonly WireTaskNode[];
  readonly edges: readonly TaskEdge[];
  readonly isTruncated: boolean;
};

export function toContextGraphResponse(contextId: string, graph: ContextGraph): ContextGraphResponse {
  const { nodes, edges, isTruncated } = graph;
  return { contextId, nodes: nodes.map(toWireNode), edges, isTruncated };
}

const toWireNode = ({ taskId, agent, contextId, status, createdAt }: TaskNode): WireTaskNode => ({
  ...{ taskId, agent, contextId },
  status: { state: WIRE_STATES[status.state], timestamp: status.at },
  createdAt,
});
