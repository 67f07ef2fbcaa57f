import { subjectMatches } from './routes';

describe('subjectMatches', () => {
  it.each([
    ['task.*.*.*.submitted', 'task.acme.echo.t1.submitted', true],
    ['task.*.*.*.submitted', 'task.acme.echo.t1.message', false],
    ['task.>', 'task.acme.echo.t1.message', true],
    ['task.>', 'task', false],
    ['task.*', 'task.acme.echo', false],
    ['task.acme.>', 'task.other.echo', false],
    ['>', 'task', true],
  ])('%s and %s: %s', (pattern, subject, expected) => {
    expect(subjectMatches(pattern, subject)).toBe(expected);
  });
});
