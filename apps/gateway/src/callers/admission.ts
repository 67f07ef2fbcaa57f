import {
  type AgentProfile,
  assertVersion,
  type Dialect,
  InvalidParamsError,
  ProtocolError,
  VERSION_HEADER,
  VERSION_QUERY,
} from '@tidemark/protocol';
import type { Agents } from '../cards/agents';
import { type Call, toCall } from './call';
import { ANONYMOUS, type Caller } from './caller';
import type { Visit, Wanted } from './visit';

/** What a request was let in with. */
export type Admitted = { readonly call: Call; readonly profile: AgentProfile };

/**
 * The door that every request of every binding comes through: who it is, before its body is read; then, when it is
 * known what it wants, whether it is spoken in a version that is served, and with which agent.
 */
export class Admission {
  constructor(
    private readonly agents: Agents,
    private readonly defaultAgent: string,
  ) {}

  identify(_visit: Visit): Promise<Caller> {
    return Promise.resolve(ANONYMOUS);
  }

  /** @throws ProtocolError VERSION_NOT_SUPPORTED, METHOD_NOT_FOUND, CURSOR_INVALID, InvalidParamsError */
  admit(visit: Visit, caller: Caller, { dialect, tenant }: Wanted): Admitted {
    assertSpoken(visit, dialect);
    const profile = this.#agent(visit, caller, tenant);
    return { call: toCall(visit, { ...caller, agent: profile.id }, dialect), profile };
  }

  /**
   * The `tenant` of A2A is part of where an agent is (section 4.4.6): bindings that have no path name the agent by it.
   * The caller's own tenant may be repeated there; it is never chosen there.
   */
  #agent({ agent: named }: Visit, caller: Caller, tenant: unknown): AgentProfile {
    const isOwn = tenant === undefined || tenant === null || tenant === '' || tenant === caller.tenant;
    if (isOwn) return this.#find(named ?? this.defaultAgent);
    const profile = typeof tenant === 'string' ? this.agents.find(tenant) : undefined;
    if (profile && (named === undefined || named === tenant)) return profile;
    throw new InvalidParamsError([{ field: 'tenant', description: 'must be left out, or be as the agent card says' }]);
  }

  #find(agent: string): AgentProfile {
    const profile = this.agents.find(agent);
    if (!profile) throw noAgent(agent, this.agents.ids);
    return profile;
  }
}

function assertSpoken({ header, query }: Visit, dialect: Dialect): void {
  assertVersion(header(VERSION_HEADER) ?? query(VERSION_QUERY), dialect);
}

/** There is nobody at this path to answer. */
export class AgentNotFound extends ProtocolError {}

function noAgent(agent: string, known: readonly string[]): ProtocolError {
  const message = `There is no agent ${agent} here; there are: ${known.join(', ') || 'none yet'}`;
  return new AgentNotFound('METHOD_NOT_FOUND', { message, metadata: { agent } });
}
