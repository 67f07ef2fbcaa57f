import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { generatedDocuments } from './src/documents';

/** `npm run docs:protocol` */
const DIRECTORY = resolve('docs/reference/executor-protocol');

async function write(): Promise<void> {
  for (const { path, content } of generatedDocuments()) {
    const isYaml = path.endsWith('.yaml');
    const text = isYaml
      ? stringify(content, { lineWidth: 120, aliasDuplicateObjects: false })
      : JSON.stringify(content);
    const file = resolve(DIRECTORY, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
  }
}

void write();
