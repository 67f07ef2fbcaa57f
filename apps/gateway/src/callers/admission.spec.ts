import type { AgentProfile } from '@tidemark/protocol';
import { createLogger } from '@tidemark/platform';
import { Admission } from './admission';
import { Authentication } from './authentication';
import { RateLimits } from './rate-limits';

const profileOf = (id: string): AgentProfile => ({
  ...{ id, name: id, description: id, version: '1' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [] },
});

const ids = ['echo', 'ticker', 'planner'];
const agents = { ids, find: (id: string) => (ids.includes(id) ? profileOf(id) : undefined) };
const admission = new Admission({
  ...{ agents, defaultAgent: 'planner', versionRule: 'lenient' },
  authentication: Authentication.of({}, createLogger('test', 'silent')),
  limits: new RateLimits({ requestsPerSecond: 0, burst: 0, failuresPerMinute: 0 }),
});

type Asked = { readonly path?: string; readonly tenant?: unknown; readonly of: string };

function admitted({ path: agent, tenant, of }: Asked) {
  const lookup = { header: () => undefined, query: () => undefined, lines: () => [] };
  const visit = { ...(agent !== undefined && { agent }), ...lookup, gone: new AbortController().signal };
  return admission.admit(visit, { tenant: of, principal: 'alice' }, { dialect: '1.0', tenant });
}

describe('the agent and the tenant of a request', () => {
  it.each<[string, Asked, string]>([
    ['without either, are the default agent and the caller’s own', { of: 'acme' }, 'planner'],
    ['are as the path says', { path: 'echo', of: 'acme' }, 'echo'],
    ['are as the path says where the tenant is empty', { path: 'echo', tenant: '', of: 'acme' }, 'echo'],
    ['are as the path says where the tenant is null', { path: 'echo', tenant: null, of: 'acme' }, 'echo'],
    ['may be said by the tenant', { tenant: 'ticker', of: 'acme' }, 'ticker'],
    ['may be said twice', { path: 'ticker', tenant: 'ticker', of: 'acme' }, 'ticker'],
    ['may repeat the caller’s own', { tenant: 'acme', of: 'acme' }, 'planner'],
    ['may repeat the caller’s own below a path', { path: 'echo', tenant: 'acme', of: 'acme' }, 'echo'],
    ['are the agent’s where the caller’s tenant is called like it', { tenant: 'ticker', of: 'ticker' }, 'ticker'],
    ['are the path’s where it says another agent', { path: 'echo', tenant: 'ticker', of: 'ticker' }, 'echo'],
    ['are the default where that tenant is not said', { of: 'ticker' }, 'planner'],
  ])('%s', (_, asked, agent) => {
    const { call, profile } = admitted(asked);
    expect([profile.id, call.scope.agent, call.scope.tenant]).toEqual([agent, agent, asked.of]);
  });

  it.each<[string, Asked]>([
    ['another tenant', { tenant: 'other', of: 'acme' }],
    ['another tenant below a path', { path: 'echo', tenant: 'other', of: 'acme' }],
    ['another agent than the path', { path: 'echo', tenant: 'ticker', of: 'acme' }],
    ['a number', { tenant: 7, of: 'acme' }],
    ['a list', { tenant: ['acme'], of: 'acme' }],
  ])('are refused where the tenant is %s', (_, asked) => {
    expect(() => admitted(asked)).toThrow('tenant must be left out, or be as the agent card says');
  });
});
