import { originForm } from './malformed-requests';

describe('the target of a request', () => {
  it.each([
    ['/tasks?a=1', '/tasks?a=1'],
    ['http://host/tasks?a=1', '/tasks?a=1'],
    ['HTTPS://user@host:8080/tasks', '/tasks'],
    ['http://[::1]:80', '/'],
    ['http://host?a=1', '/?a=1'],
    ['/http://host/tasks', '/http://host/tasks'],
    ['//host/tasks', '//host/tasks'],
    ['*', '/*'],
    ['ftp://host/tasks', 'ftp://host/tasks'],
  ])('%s is %s', (url, target) => expect(originForm({ url })).toBe(target));
});
