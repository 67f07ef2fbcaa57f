import type Database from 'libsql';

/** Tables as Kysely sees them. */
export type IndexSchema = {
  scopes: { id: number; tenant: string; agent: string; owner: string };
  tasks: {
    scope: number;
    task_id: string;
    context_id: string;
    state: string;
    /** Milliseconds since 1970. */
    status_at: number;
    created_at: number;
    version: number;
    sequence: number;
    /** `TaskSummary` as JSON. */
    summary: string;
  };
  /** What the messages of a task name in their `referenceTaskIds`. */
  task_references: { scope: number; task_id: string; reference: string };
  /** How many tasks of a scope are in a state. */
  counts: { scope: number; state: string; tasks: number };
  checkpoint: { id: number; incarnation: string; sequence: number };
};

/** Grows with every change of the tables, or of what is folded into them. */
const VERSION = 2;

/**
 * A scope is what no list looks beyond; the graph of a context looks into all scopes of a tenant and an owner. Each index
 * serves one filter in the order of the list; a context with a state is read from the index of contexts, which carries
 * the state too. The counts are kept, since to count the tasks of an owner who has a million takes too long for every page.
 */
const TABLE_STATEMENTS = `
  create table scopes (
    id integer primary key, tenant text not null, agent text not null, owner text not null,
    unique (tenant, owner, agent)
  );
  create table tasks (
    scope integer not null, task_id text not null, context_id text not null, state text not null,
    status_at integer not null, created_at integer not null, version integer not null, sequence integer not null,
    summary text not null,
    unique (scope, task_id)
  );
  create index tasks_by_status on tasks (scope, status_at, task_id);
  create index tasks_by_state on tasks (scope, state, status_at, task_id);
  create index tasks_by_context on tasks (scope, context_id, status_at, task_id, state);
  create index tasks_by_creation on tasks (scope, context_id, created_at, task_id);
  create table task_references (
    scope integer not null, task_id text not null, reference text not null, primary key (scope, task_id, reference)
  ) without rowid;
  create table counts (
    scope integer not null, state text not null, tasks integer not null, primary key (scope, state)
  ) without rowid;
  create trigger task_added after insert on tasks begin
    insert into counts (scope, state, tasks) values (new.scope, new.state, 1)
      on conflict (scope, state) do update set tasks = tasks + 1;
  end;
  create trigger task_moved after update of state on tasks when old.state <> new.state begin
    update counts set tasks = tasks - 1 where scope = old.scope and state = old.state;
    insert into counts (scope, state, tasks) values (new.scope, new.state, 1)
      on conflict (scope, state) do update set tasks = tasks + 1;
  end;
  create table checkpoint (
    id integer primary key check (id = 1), incarnation text not null, sequence integer not null
  );`;

const CACHE_KIB = 65_536;

export const TABLES = ['tasks', 'task_references', 'scopes', 'counts', 'checkpoint'] as const;

/** Makes the tables. An index of another release is emptied, and so folded from the log again. */
export function migrate(database: Database.Database): void {
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${CACHE_KIB};`);
  if (versionOf(database) === VERSION) return;
  const drops = TABLES.map((table) => `drop table if exists ${table};`).join(' ');
  database.exec(`begin; ${drops} ${TABLE_STATEMENTS} pragma user_version = ${VERSION}; commit;`);
}

const versionOf = (database: Database.Database): number =>
  (database.prepare('pragma user_version').get() as { user_version: number }).user_version;
