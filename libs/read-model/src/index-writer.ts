import type Database from 'libsql';
import { TABLES } from './index-schema';
import type { Checkpoint, TaskRow, TaskSummary } from './task-index';

const MAX_KNOWN_SCOPES = 10_000;

/** Writes of the index, as prepared statements: a query builder would cost several times as much a row. */
export class IndexWriter {
  readonly #insertScope: Database.Statement;
  readonly #selectScope: Database.Statement;
  readonly #upsertTask: Database.Statement;
  readonly #insertReference: Database.Statement;
  readonly #upsertCheckpoint: Database.Statement;
  readonly #scopes = new Map<string, number>();

  constructor(private readonly database: Database.Database) {
    this.#insertScope = database.prepare(
      'insert into scopes (tenant, agent, owner) values (?, ?, ?) on conflict do nothing',
    );
    this.#selectScope = database.prepare('select id from scopes where tenant = ? and agent = ? and owner = ?');
    this.#upsertTask = database.prepare(
      `insert into tasks (scope, task_id, context_id, state, status_at, created_at, version, sequence, summary)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (scope, task_id) do update set
         state = excluded.state, status_at = excluded.status_at, version = excluded.version,
         sequence = excluded.sequence, summary = excluded.summary
       where excluded.sequence > tasks.sequence`,
    );
    this.#insertReference = database.prepare(
      'insert into task_references (scope, task_id, reference) values (?, ?, ?) on conflict do nothing',
    );
    this.#upsertCheckpoint = database.prepare(
      `insert into checkpoint (id, incarnation, sequence) values (1, ?, ?)
       on conflict (id) do update set incarnation = excluded.incarnation, sequence = excluded.sequence`,
    );
  }

  write(rows: readonly TaskRow[], { incarnation, sequence }: Checkpoint): void {
    this.#atomically(() => {
      for (const row of rows) this.#writeRow(row);
      this.#upsertCheckpoint.run(incarnation, sequence);
    });
  }

  clear(): void {
    this.#atomically(() => {
      for (const table of TABLES) this.database.exec(`delete from ${table}`);
    });
    this.#scopes.clear();
  }

  #writeRow({ summary, position, references }: TaskRow): void {
    const { taskId, contextId, status, createdAt } = summary;
    const scope = this.#scopeOf(summary);
    const keys = [scope, taskId, contextId, status.state, Date.parse(status.at), Date.parse(createdAt)];
    this.#upsertTask.run(...keys, position.version, position.sequence, JSON.stringify(summary));
    for (const reference of references) this.#insertReference.run(scope, taskId, reference);
  }

  #scopeOf({ tenant, agent, owner }: TaskSummary): number {
    const key = JSON.stringify([tenant, agent, owner]);
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    this.#insertScope.run(tenant, agent, owner);
    const { id } = this.#selectScope.get(tenant, agent, owner) as { id: number };
    if (this.#scopes.size >= MAX_KNOWN_SCOPES) this.#scopes.clear();
    this.#scopes.set(key, id);
    return id;
  }

  /** All or nothing, also of what is remembered about it. */
  #atomically(act: () => void): void {
    this.database.exec('begin immediate');
    try {
      act();
      this.database.exec('commit');
    } catch (error) {
      this.#scopes.clear();
      this.database.exec('rollback');
      throw error;
    }
  }
}
