import type { Logger } from '@tidemark/platform';
import {
  type AgentProfile,
  assertVersion,
  InvalidParamsError,
  ProtocolError,
  VERSION_HEADER,
  VERSION_QUERY,
  type VersionRule,
} from '@tidemark/protocol';
import type { Agents } from '../cards/agents';
import type { Gateway } from '../gateway';
import { Authentication } from './authentication';
import { type Call, toCall } from './call';
import { type Caller, isFor } from './caller';
import { RateLimits } from './rate-limits';
import { addressOf, sourceOf, type Visit, type Wanted } from './visit';

/** What a request was let in with. */
export type Admitted = { readonly call: Call; readonly profile: AgentProfile };

export type AdmissionParts = {
  readonly agents: Pick<Agents, 'find' | 'ids'>;
  readonly defaultAgent: string;
  readonly versionRule: VersionRule;
  readonly authentication: Authentication;
  readonly limits: RateLimits;
};

/**
 * The door that every request of every binding comes through: who it is, before its body is read; then, when it is
 * known what it wants, whether it is spoken in a version that is served, and with which agent.
 */
export class Admission {
  constructor(private readonly parts: AdmissionParts) {}

  /** @throws ConfigError where a file with keys is not what it must be */
  static of({ agents, gateway, logger }: { agents: Agents; gateway: Gateway; logger: Logger }): Admission {
    const authentication = Authentication.of(gateway.authentication, logger);
    const { defaultAgent, versionRule, callerLimits } = gateway;
    return new Admission({ agents, defaultAgent, versionRule, authentication, limits: new RateLimits(callerLimits) });
  }

  /** Who calls. @throws ProtocolError UNAUTHENTICATED, RATE_LIMITED; KeysUnavailableError */
  async identify(visit: Visit): Promise<Caller> {
    const caller = await this.#authenticated(visit);
    await this.parts.limits.request(sourceOf(caller, visit));
    return caller;
  }

  async #authenticated(visit: Visit): Promise<Caller> {
    try {
      return await this.parts.authentication.callerOf(visit);
    } catch (error) {
      if (isUnauthenticated(error)) await this.parts.limits.failure(addressOf(visit));
      throw error;
    }
  }

  /** @throws ProtocolError VERSION_NOT_SUPPORTED, METHOD_NOT_FOUND, PERMISSION_DENIED, CURSOR_INVALID, InvalidParamsError */
  admit(visit: Visit, caller: Caller, { dialect, tenant }: Wanted): Admitted {
    assertVersion(visit.header(VERSION_HEADER) || visit.query(VERSION_QUERY), dialect, this.parts.versionRule);
    const profile = this.#agent(visit, caller, tenant);
    assertAllowed(caller, profile.id);
    return { call: toCall(visit, caller, { profile, dialect }), profile };
  }

  /**
   * The `tenant` of A2A is part of where an agent is (section 4.4.6): bindings that have no path name the agent by it.
   * The caller's own tenant may be repeated there; it is never chosen there. Where an agent has the same name, it is
   * the agent: its card says so to every client.
   */
  #agent({ agent: named }: Visit, caller: Caller, tenant: unknown): AgentProfile {
    const addressed = typeof tenant === 'string' ? this.parts.agents.find(tenant) : undefined;
    if (addressed && (named === undefined || named === tenant)) return addressed;
    const isOwn = tenant === undefined || tenant === null || tenant === '' || tenant === caller.tenant;
    if (isOwn) return this.#find(named ?? this.parts.defaultAgent);
    throw new InvalidParamsError([{ field: 'tenant', description: 'must be left out, or be as the agent card says' }]);
  }

  #find(agent: string): AgentProfile {
    const { agents } = this.parts;
    const profile = agents.find(agent);
    if (!profile) throw noAgent(agent, agents.ids);
    return profile;
  }
}

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ProtocolError && error.code === 'UNAUTHENTICATED';

function assertAllowed(caller: Caller, agent: string): void {
  if (isFor(caller, agent)) return;
  const message = `This credential is not for the agent ${agent}`;
  throw new ProtocolError('PERMISSION_DENIED', { message, metadata: { agent } });
}

/** There is nobody at this path to answer. */
export class AgentNotFound extends ProtocolError {}

function noAgent(agent: string, known: readonly string[]): ProtocolError {
  const message = `There is no agent ${agent} here; there are: ${known.join(', ') || 'none yet'}`;
  return new AgentNotFound('METHOD_NOT_FOUND', { message, metadata: { agent } });
}
