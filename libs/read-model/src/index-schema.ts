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
    version: number;
    sequence: number;
    /** `TaskSummary` as JSON. */
    summary: string;
  };
  /** How many tasks of a scope are in a state. */
  counts: { scope: number; state: string; tasks: number };
  checkpoint: { id: number; incarnation: string; sequence: number };
};

/**
 * Step n takes the database from version n to n + 1. A step that was released is never changed.
 *
 * A scope is what no list looks beyond. Each index serves one filter in the order of the list; a context with a
 * state is read from the index of contexts, which carries the state too. The counts are kept, since to count the
 * tasks of an owner who has a million takes too long for every page.
 */
const STEPS = [
  `create table scopes (
     id integer primary key, tenant text not null, agent text not null, owner text not null,
     unique (tenant, agent, owner)
   );
   create table tasks (
     scope integer not null, task_id text not null, context_id text not null, state text not null,
     status_at integer not null, version integer not null, sequence integer not null, summary text not null,
     unique (scope, task_id)
   );
   create index tasks_by_status on tasks (scope, status_at, task_id);
   create index tasks_by_state on tasks (scope, state, status_at, task_id);
   create index tasks_by_context on tasks (scope, context_id, status_at, task_id, state);
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
   );`,
] as const;

const CACHE_KIB = 65_536;

export const TABLES = ['tasks', 'scopes', 'counts', 'checkpoint'] as const;

/** Brings a database to the newest version. An index of a later release is emptied: it is a fold of the log. */
export function migrate(database: Database.Database): void {
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${CACHE_KIB};`);
  const found = versionOf(database);
  if (found > STEPS.length) dropAll(database);
  for (const step of STEPS.slice(found > STEPS.length ? 0 : found)) database.exec(`begin; ${step} commit;`);
  database.exec(`pragma user_version = ${STEPS.length}`);
}

const versionOf = (database: Database.Database): number =>
  (database.prepare('pragma user_version').get() as { user_version: number }).user_version;

function dropAll(database: Database.Database): void {
  for (const table of TABLES) database.exec(`drop table if exists ${table}`);
}
