import { verbsAt } from './verbs';

describe('the verbs at a path', () => {
  it.each([
    ['/', ['POST']],
    ['/?x=1', ['POST']],
    ['/agents/echo', ['POST']],
    ['/agents/echo/', ['POST']],
    ['/agents', ['GET', 'HEAD']],
    ['/openapi.json', ['GET', 'HEAD']],
    ['/healthz', ['GET', 'HEAD']],
    ['/readyz', ['GET', 'HEAD']],
    ['/.well-known/jwks.json', ['GET', 'HEAD']],
    ['/.well-known/agent-card.json', ['GET', 'HEAD']],
    ['/agents/echo/.well-known/agent-card.json', ['GET', 'HEAD']],
    ['/echo/.well-known/agent-card.json?A2A-Version=1.0', ['GET', 'HEAD']],
    ['/agents/echo/tasks/t/parts/abc', ['GET', 'HEAD']],
    ['/tasks', ['GET', 'HEAD']],
    ['/acme/tasks/t', ['GET', 'HEAD']],
    ['/agents/echo/message:send', ['POST']],
    ['/tasks/t:subscribe', ['GET', 'HEAD', 'POST']],
    ['/tasks/t/pushNotificationConfigs/c', ['GET', 'HEAD', 'DELETE']],
    ['/v1/message:send', ['POST']],
    ['/agents/echo/v1/tasks/t', ['GET', 'HEAD']],
    ['/v1/tasks/t:subscribe', ['GET', 'HEAD', 'POST']],
    ['/v1/nothing', []],
    ['/nowhere', []],
    ['/tasks/t/parts/abc', []],
    ['/%E0%A4', []],
  ])('%s are %j', (url, verbs) => expect(verbsAt(url)).toEqual(verbs));
});
