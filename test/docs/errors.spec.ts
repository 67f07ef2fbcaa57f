import { ERRORS, failure, InvalidParamsError, LIMITS, restFailure } from '@tidemark/protocol';
import { headingsIn, jsonIn, onlyCode, readDocument, sectionOf, tableIn } from './markdown';

const document = readDocument('docs/reference/errors.md');
const names = Object.keys(ERRORS);

describe('docs/reference/errors.md', () => {
  it('lists every error with what it is on each binding, and no other', () => {
    const listed = tableIn(sectionOf(document, '## The errors')).map((row) => ({
      name: onlyCode(row.Error),
      code: Number(row.Code),
      http: Number(row.HTTP),
      grpc: onlyCode(row.gRPC),
      reason: onlyCode(row.Reason),
    }));
    expect(listed).toEqual(
      Object.entries(ERRORS).map(([name, { code, http, grpc, reason }]) => ({ name, code, http, grpc, reason })),
    );
  });

  it('has a section for every error, in the same order', () => {
    expect(headingsIn(sectionOf(document, '## When, and what to do'), 3)).toEqual(names);
  });

  it.each(names)('says of %s when it happens and what the client should do', (name) => {
    const section = sectionOf(document, `### ${name}`);
    expect(section).toMatch(/^\*\*When\.\*\* \S/m);
    expect(section).toMatch(/^\*\*Do\.\*\* \S/m);
  });

  it.each(['errors', 'config', 'subjects'])('has the limit of values in %s.md', (name) => {
    const limit = `${LIMITS.values.toLocaleString('en')} values`;
    expect(readDocument(`docs/reference/${name}.md`)).toContain(limit);
  });

  it('shows an error as it is on the wire', () => {
    const wrong = { field: 'message.parts', description: 'must have at least one part' };
    expect(jsonIn(sectionOf(document, '## What an error looks like'))).toEqual([
      failure(7, new InvalidParamsError([wrong])),
      restFailure(new InvalidParamsError([wrong])),
    ]);
  });
});
