import Database from 'libsql';
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrate } from './index-schema';

/** A file that was no index any more: why, and where it is now. */
export type SetAside = { readonly reason: string; readonly path: string };

const IN_MEMORY = ':memory:';
const BROKEN: ReadonlySet<unknown> = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/**
 * Opens the database of the index or creates it, and its directory. A file that is broken is set aside, and a new one
 * made: all of it is folded from the log. @throws Error for a path that cannot be opened
 */
export function openIndexFile(path: string, onSetAside: (aside: SetAside) => void): Database.Database {
  if (path !== IN_MEMORY) mkdirSync(dirname(path), { recursive: true });
  try {
    return opened(path);
  } catch (error) {
    if (!isBroken(error)) throw error;
    onSetAside({ reason: error.message, path: setAside(path) });
    return opened(path);
  }
}

function opened(path: string): Database.Database {
  const database = new Database(path);
  try {
    if (path !== IN_MEMORY) assertWhole(database, path);
    migrate(database);
    database.prepare('select max(rowid) from tasks').get(); // near the end of the file
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A file without its end would be found out late, by whoever asks for what is in there. */
function assertWhole(database: Database.Database, path: string): void {
  const pages = database.prepare('pragma page_count').get() as { page_count: number };
  const { page_size: pageSize } = database.prepare('pragma page_size').get() as { page_size: number };
  const hasMore = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  if (!hasMore && statSync(path).size < pages.page_count * pageSize) throw new BrokenFileError('its end is missing');
}

class BrokenFileError extends Error {
  override readonly name = 'BrokenFileError';
  readonly code = 'SQLITE_CORRUPT';
}

const isBroken = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && BROKEN.has(error.code);

/** What belongs to it must not meet the new one. */
function setAside(path: string): string {
  const aside = `${path}.broken-${Date.now()}`;
  for (const part of ['', '-wal', '-shm']) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}
