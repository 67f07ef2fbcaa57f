import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { KeyFileError } from './errors';
import { formatKeyFile, type KeySet, parseKeyFile, withNewKeys } from './key-file';

/** Only its owner may read it: whoever can has the keys. */
const MODE = 0o600;

/** @throws KeyFileError where there is no such file, or it is not a key file. */
export async function readKeys(path: string): Promise<KeySet> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new KeyFileError(`the key file ${path} cannot be read`, { cause });
  });
  try {
    return parseKeyFile(content);
  } catch (cause) {
    throw cause instanceof KeyFileError
      ? new KeyFileError(`the key file ${path} is none: ${cause.message}`, { cause })
      : cause;
  }
}

/** Writes the first keys of a deployment. @throws KeyFileError where there is anything at the path: nothing is overwritten. */
export async function createKeys(path: string): Promise<KeySet> {
  const keys = await withNewKeys();
  await written(path, keys, async (draft) => {
    await link(draft, path); // fails where there is anything; a rename would replace it
    await rm(draft);
  });
  return keys;
}

/** Puts new keys before those that there are: they sign and seal from now on, and the others still verify and open. */
export async function rotateKeys(path: string): Promise<KeySet> {
  return replaced(path, await withNewKeys(await readKeys(path)));
}

/** Forgets all keys but the newest of each kind: what others made can no longer be verified or opened. */
export async function retireKeys(path: string): Promise<KeySet> {
  const { signing, sealing } = await readKeys(path);
  return replaced(path, { signing: signing.slice(0, 1), sealing: sealing.slice(0, 1) });
}

async function replaced(path: string, keys: KeySet): Promise<KeySet> {
  await written(path, keys, (draft) => rename(draft, path));
  return keys;
}

/** Whoever reads the path meanwhile finds all of the file, or what was there before. */
async function written(path: string, keys: KeySet, put: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}-${keys.signing[0]?.kid}.draft`;
  try {
    await onDisk(draft, formatKeyFile(keys));
    await put(draft);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined); // it says less than what went wrong
    throw new KeyFileError(sentence(path, cause), { cause });
  }
}

async function onDisk(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(path, MODE); // whatever the umask took
}

function sentence(path: string, cause: unknown): string {
  const { code } = cause as { code?: unknown };
  if (code === 'EEXIST') return `there is a file ${path} already, and no key file is overwritten`;
  if (code === 'ENOENT') return `the folder of ${path} is not there`;
  return `${path} cannot be written: ${String(code)}`;
}
