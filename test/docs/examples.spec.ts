import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onlyCode, readDocument, ROOT, tableIn } from './markdown';

describe('deploy/examples/README.md', () => {
  it('lists every agent there is, and no other', () => {
    const listed = tableIn(readDocument('deploy/examples/README.md')).map((row) => onlyCode(row.File));
    const files = readdirSync(join(ROOT, 'deploy/examples/agents')).map((file) => `agents/${file}`);
    expect(listed.sort()).toEqual(files.sort());
  });

  it('says of each what it shows', () => {
    const features = tableIn(readDocument('deploy/examples/README.md')).map((row) => row.Feature ?? '');
    expect(features.filter((feature) => feature.length < 10)).toEqual([]);
    expect(new Set(features).size).toBe(features.length);
  });
});
