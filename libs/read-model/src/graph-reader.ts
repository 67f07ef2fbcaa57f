import type { ContextScope, TaskNode, TaskState } from '@tidemark/domain';
import type Database from 'libsql';
import { byCreation, type GraphSource } from './graph-source';

const NODE = 'agent, task_id, context_id, state, status_at, created_at';
const SCOPED = 'tasks join scopes on scopes.id = tasks.scope where tenant = ? and owner = ?';

/** The newest tasks are read of one agent at a time: over several ones a context would have to be sorted as a whole. */
export const GRAPH_QUERIES = {
  scopes: 'select id, agent from scopes where tenant = ? and owner = ? order by agent',
  newest: `select ${NODE} from ${SCOPED} and agent = ? and context_id = ? order by created_at desc, task_id desc limit ?`,
  references: 'select reference from task_references where scope = ? and task_id = ? order by reference limit ?',
  task: `select ${NODE} from ${SCOPED} and task_id = ? order by agent limit 1`,
} as const;

type NodeRow = {
  readonly agent: string;
  readonly task_id: string;
  readonly context_id: string;
  readonly state: TaskState;
  readonly status_at: number;
  readonly created_at: number;
};

/** Reads of graphs. They are thousands of small ones, so their statements are prepared. */
export class GraphReader {
  readonly #queries: Readonly<Record<keyof typeof GRAPH_QUERIES, Database.Statement>>;

  constructor(database: Database.Database) {
    const { scopes, newest, references, task } = GRAPH_QUERIES;
    this.#queries = {
      scopes: database.prepare(scopes),
      newest: database.prepare(newest),
      references: database.prepare(references),
      task: database.prepare(task),
    };
  }

  source({ tenant, owner, contextId }: ContextScope): GraphSource {
    const queries = this.#queries;
    const scopes = queries.scopes.all(tenant, owner) as { readonly id: number; readonly agent: string }[];
    const idOf = new Map(scopes.map(({ id, agent }) => [agent, id]));
    return {
      newest: (atMost) => {
        const read = (agent: string) => queries.newest.all(tenant, owner, agent, contextId, atMost) as NodeRow[];
        const nodes = [...idOf.keys()].flatMap(read).map(toNode);
        return nodes.sort((a, b) => byCreation(b, a)).slice(0, atMost);
      },
      references: ({ agent, taskId }, atMost) => {
        const rows = queries.references.all(idOf.get(agent), taskId, atMost) as { readonly reference: string }[];
        return rows.map(({ reference }) => reference);
      },
      find: (taskId) => {
        const row = queries.task.get(tenant, owner, taskId) as NodeRow | undefined;
        return row && toNode(row);
      },
    };
  }
}

const toNode = ({ agent, task_id, context_id, state, status_at, created_at }: NodeRow): TaskNode => ({
  ...{ taskId: task_id, agent, contextId: context_id },
  createdAt: new Date(created_at).toISOString(),
  status: { state, at: new Date(status_at).toISOString() },
});
