import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SDK = new URL('./cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk'));

/**
 * One of the stores that the SDK comes with.
 * @param {string} kind `memory` or `sqlite`
 * @param {string} file of the database, which must not be there yet
 */
export function openStore(kind, file) {
  if (kind === 'memory') return new InMemoryTaskStore();
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(schema());
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) }));
}

/** The SDK's tool migrates with a driver that must be compiled; what it would execute it also prints. */
function schema() {
  const args = [fileURLToPath(SDK), 'upgrade', '--sql', '--dialect', 'sqlite', '--store', 'tasks'];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}
