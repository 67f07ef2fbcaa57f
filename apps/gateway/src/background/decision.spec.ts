import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDecision } from './decision';

const GRANTED = { decision: 'granted', by: 'olivia' };
const parsed = (over: object) => parseDecision(JSON.stringify({ ...GRANTED, ...over }));

describe('a decision', () => {
  it('says what, who, and perhaps why', () => {
    expect(parsed({})).toEqual(GRANTED);
    expect(parsed({ decision: 'denied', note: 'too dear' })).toEqual({
      ...GRANTED,
      decision: 'denied',
      note: 'too dear',
    });
  });

  it('is as the reference shows it', () => {
    const page = readFileSync(join(__dirname, '../../../../docs/reference/subjects.md'), 'utf8');
    const [, shown = ''] = /## Authorizations.*?```json\n(.*?)```/s.exec(page) ?? [];
    expect(parseDecision(shown)).toEqual(JSON.parse(shown));
  });

  it.each([
    ['no JSON', 'granted', 'the request must be an object'],
    ['no object', '[]', 'the request must be an object'],
    ['nobody', '{"decision":"granted"}', 'by must be the name of who decides'],
    ['an empty name', '{"decision":"granted","by":""}', 'by must be 1 to 128 characters without control characters'],
    ['another word', '{"decision":"maybe","by":"o"}', 'decision must be granted or denied'],
    ['more', '{"decision":"granted","by":"o","token":"x"}', 'the request has members that are not known: token'],
  ])('that is %s is refused by its field', (_, text, reason) => {
    expect(parseDecision(text)).toBe(reason);
  });

  it.each([
    'Bearer abcdefghijklmnop',
    'password: hunter2',
    'use api_key=123456',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'sk-abcdefghijklmnopqrst',
    '-----BEGIN RSA PRIVATE KEY-----',
  ])('keeps no secret: %s', (note) => {
    expect(parsed({ note })).toBe('note must not hold a secret: the log keeps it for ever');
  });

  it.each(['ticket 17', 'the bearer of this ring', 'password was reset', 'token budget is fine', 'basic plan'])(
    'may say: %s',
    (note) => {
      expect(parsed({ note })).toMatchObject({ note });
    },
  );
});
