import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, wherever the command was started from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that a local Tidemark keeps: events, index, logs. Removing it is a fresh start. */
export const DATA_DIR = join(ROOT, '.tidemark');
