import type { ContextGraph, TaskState } from '@tidemark/domain';
import { parseGetContextGraph, toContextGraphResponse } from './context-graph-extension';
import { ProtocolError } from './errors';
import { WIRE_STATES } from './wire-state';

function violations(params: unknown) {
  try {
    parseGetContextGraph(params);
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'INVALID_PARAMS') return error.violations;
  }
  return [];
}

const ID = expect.stringMatching(/must be a non-empty string of at most 256 characters/) as string;

describe('parseGetContextGraph', () => {
  it.each([
    ['a context alone', { contextId: 'c-1' }, { contextId: 'c-1' }],
    ['a tenant', { contextId: 'c-1', tenant: 'acme' }, { contextId: 'c-1', tenant: 'acme' }],
    ['names in snake_case', { context_id: 'c-1' }, { contextId: 'c-1' }],
    ['null and "" for what is not set', { contextId: 'c-1', tenant: '' }, { contextId: 'c-1' }],
    ['members that it does not know', { contextId: 'c-1', somethingNew: 1 }, { contextId: 'c-1' }],
  ])('takes %s', (_, params, expected) => {
    expect(parseGetContextGraph(params)).toStrictEqual(expected);
  });

  it.each([
    ['contextId', {}],
    ['contextId', { contextId: null }],
    ['contextId', { contextId: '' }],
    ['contextId', { contextId: 7 }],
    ['contextId', { contextId: ['c-1'] }],
    ['contextId', { contextId: 'x'.repeat(257) }],
    ['contextId', { contextId: 'c\u0000' }],
    ['tenant', { contextId: 'c-1', tenant: {} }],
  ])('refuses a wrong %s: %j', (field, params) => {
    expect(violations(params)).toEqual([{ field, description: ID }]);
  });

  it('names every field that is wrong', () => {
    expect(violations({ tenant: 7 }).map(({ field }) => field)).toEqual(['contextId', 'tenant']);
  });
});

describe('toContextGraphResponse', () => {
  it.each(Object.entries(WIRE_STATES))('writes the state %s as %s', (state, wire) => {
    const at = '2026-01-15T09:30:00.000Z';
    const node = { taskId: 't-1', agent: 'echo', contextId: 'c-1', createdAt: at };
    const graph: ContextGraph = {
      nodes: [{ ...node, status: { state: state as TaskState, at } }],
      edges: [{ from: 't-1', to: 't-0', isKnown: false }],
      isTruncated: true,
    };
    expect(toContextGraphResponse('c-1', graph)).toStrictEqual({
      contextId: 'c-1',
      nodes: [{ ...node, status: { state: wire, timestamp: at } }],
      edges: [{ from: 't-1', to: 't-0', isKnown: false }],
      isTruncated: true,
    });
  });

  it('writes a graph without tasks', () => {
    const empty = { nodes: [], edges: [], isTruncated: false };
    expect(toContextGraphResponse('c-1', empty)).toStrictEqual({ contextId: 'c-1', ...empty });
  });
});
