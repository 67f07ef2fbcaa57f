import type { ContextGraph, ContextScope } from '@tidemark/domain';
import { Kysely, type SelectQueryBuilder, sql, SqliteDialect } from 'kysely';
import type Database from 'libsql';
import { GraphReader } from './graph-reader';
import { type GraphLimits, graphOf } from './graph-source';
import { openIndexFile, type SetAside } from './index-file';
import type { IndexSchema } from './index-schema';
import { IndexWriter } from './index-writer';
import { decodePageToken, encodePageToken, endOf, lowerBoundMs, type PageEnd } from './page-token';
import {
  type Checkpoint,
  IN_FLIGHT,
  type TaskIndex,
  type TaskPage,
  type TaskQuery,
  type TaskRow,
  type TaskSummary,
} from './task-index';

/** The index in a SQLite database of its own, which survives a crash of the process. */
export class SqlTaskIndex implements TaskIndex {
  readonly #writer: IndexWriter;
  readonly #graphs: GraphReader;

  private constructor(
    database: Database.Database,
    private readonly db: Kysely<IndexSchema>,
  ) {
    this.#writer = new IndexWriter(database);
    this.#graphs = new GraphReader(database);
  }

  /** Opens the file or creates it, and its directory; `:memory:` lives as long as the process. @throws as `openIndexFile` */
  static open(path: string, onSetAside: (aside: SetAside) => void = () => undefined): SqlTaskIndex {
    const database = openIndexFile(path, onSetAside);
    const dialect = new SqliteDialect({ database: database });
    return new SqlTaskIndex(database, new Kysely<IndexSchema>({ dialect }));
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.db.selectFrom('checkpoint').select(['incarnation', 'sequence']).executeTakeFirst();
  }

  async write(rows: readonly TaskRow[], checkpoint: Checkpoint): Promise<void> {
    this.#writer.write(rows, checkpoint);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const start = decodePageToken(query);
    const scope = await this.#scopeOf(query);
    if (scope === undefined) return { tasks: [], nextPageToken: '', totalSize: 0 };
    const total = await this.#count(scope, query);
    const rows = await below(this.#matching(scope, query), start)
      .select('summary')
      .orderBy('status_at', 'desc')
      .orderBy('task_id', 'desc')
      .limit(query.pageSize + 1)
      .execute();
    return toPage(query, rows, total);
  }

  async inFlight(tenant: string): Promise<number> {
    const counts = this.db.selectFrom('scopes').innerJoin('counts', 'counts.scope', 'scopes.id');
    const those = counts.where('tenant', '=', tenant).where('state', 'in', IN_FLIGHT);
    const { tasks } = await those
      .select(({ fn }) => fn.sum<number | null>('tasks').as('tasks'))
      .executeTakeFirstOrThrow();
    return tasks ?? 0;
  }

  async graph(scope: ContextScope, limits: GraphLimits): Promise<ContextGraph> {
    return graphOf(this.#graphs.source(scope), limits);
  }

  async clear(): Promise<void> {
    this.#writer.clear();
  }

  close(): Promise<void> {
    return this.db.destroy();
  }

  async #scopeOf({ tenant, agent, owner }: TaskQuery): Promise<number | undefined> {
    const scopes = this.db.selectFrom('scopes').select('id').where('tenant', '=', tenant);
    return (await scopes.where('agent', '=', agent).where('owner', '=', owner).executeTakeFirst())?.id;
  }

  async #count(scope: number, query: TaskQuery): Promise<number> {
    const { contextId, state, statusTimestampAfter } = query;
    if (contextId !== undefined || statusTimestampAfter !== undefined) return this.#countEach(scope, query);
    const counts = this.db.selectFrom('counts').where('scope', '=', scope);
    const kept = await (state === undefined ? counts : counts.where('state', '=', state)).select('tasks').execute();
    return kept.reduce((sum, { tasks }) => sum + tasks, 0);
  }

  async #countEach(scope: number, query: TaskQuery): Promise<number> {
    const counted = this.#matching(scope, query).select(({ fn }) => fn.countAll<number>().as('tasks'));
    return (await counted.executeTakeFirstOrThrow()).tasks;
  }

  #matching(scope: number, { contextId, state, statusTimestampAfter }: TaskQuery): TaskSelection {
    let rows: TaskSelection = this.db.selectFrom('tasks').where('scope', '=', scope);
    if (contextId !== undefined) rows = rows.where('context_id', '=', contextId);
    if (state !== undefined) rows = rows.where(stateColumn(contextId), '=', state);
    if (statusTimestampAfter !== undefined) rows = rows.where('status_at', '>=', lowerBoundMs(statusTimestampAfter));
    return rows;
  }
}

type TaskSelection = SelectQueryBuilder<IndexSchema, 'tasks', object>;

/** A context is smaller than a state: `+` keeps the index of states out of the choice. */
const stateColumn = (contextId: string | undefined) => (contextId === undefined ? sql.ref('state') : sql`+state`);

function below(rows: TaskSelection, start: PageEnd | undefined): TaskSelection {
  return start ? rows.where(sql<boolean>`(status_at, task_id) < (${start.statusAtMs}, ${start.taskId})`) : rows;
}

/** One row more than the page was asked for: it tells whether there is a next page. */
function toPage(query: TaskQuery, rows: readonly { readonly summary: string }[], totalSize: number): TaskPage {
  const tasks = rows.slice(0, query.pageSize).map(({ summary }) => JSON.parse(summary) as TaskSummary);
  const last = rows.length > query.pageSize ? tasks.at(-1) : undefined;
  return { tasks, nextPageToken: last ? encodePageToken(query, endOf(last)) : '', totalSize };
}
