import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApi } from './src/openapi/openapi';

/** `npm run docs:openapi` */
const FILE = resolve('docs/reference/openapi.json');

async function write(): Promise<void> {
  const text = JSON.stringify(openApi('http://127.0.0.1:8080'));
  writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }));
}

void write();
