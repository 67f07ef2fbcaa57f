import { AgentCard as SdkCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import type { AgentCard, AgentProfile, CardSecurity, Dialect } from '@tidemark/protocol';
import { createLocalJWKSet, flattenedVerify, importJWK, type JSONWebKeySet } from 'jose';
import { ANONYMOUS } from '../callers/caller';
import { payloadOf } from './card-signatures';
import { Cards } from './cards';

const SKILL = { id: 'echo', name: 'Echo', description: 'Says it again: “ça va”', tags: ['demo'] };
const PROFILE: AgentProfile = {
  ...{ id: 'echo', name: 'Echo', description: 'Says it again', version: '1.2.3' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [SKILL] },
  extensions: [{ uri: 'urn:example:tone:v1', required: true, params: { tones: ['warm', 7] } }],
};
const SECURITY: CardSecurity = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};
const GATEWAY = { publicUrl: 'https://gw.test', grpcAddress: 'gw.test:9000' };
const ADA = { tenant: 'acme', principal: 'ada' };

const cardOf = async (cards: Cards, version: Dialect | undefined = '1.0'): Promise<AgentCard> =>
  JSON.parse((await cards.document(PROFILE, 'agents/echo', version)).body) as AgentCard;

/** Our own verifier: by RFC 7515 and nothing else. `jku` is not looked at. */
async function isSigned(card: AgentCard, jwks: JSONWebKeySet): Promise<boolean> {
  const payload = Buffer.from(payloadOf(card)).toString('base64url');
  const tried = await Promise.allSettled(
    (card.signatures ?? []).map((signature) => flattenedVerify({ ...signature, payload }, createLocalJWKSet(jwks))),
  );
  return tried.some(({ status }) => status === 'fulfilled');
}

/** The verifier of the published SDK, on what was received or on what its client makes of that. */
async function isSignedForSdk(card: unknown, { keys }: JSONWebKeySet): Promise<boolean> {
  const keyOf = async (kid: string) => importJWK(keys.find((key) => key.kid === kid) ?? {});
  const verify = verifyAgentCardSignature(keyOf as Parameters<typeof verifyAgentCardSignature>[0]);
  return verify(card as SdkCard).then(
    () => true,
    () => false,
  );
}

const headerOf = ({ protected: header }: { readonly protected: string }): unknown =>
  JSON.parse(Buffer.from(header, 'base64url').toString());

beforeEach(() => void jest.spyOn(console, 'debug').mockReturnValue()); // the SDK tells of each entry that fails
afterEach(() => void jest.restoreAllMocks());

describe('the card of a deployment with keys', () => {
  it('has a signature that says how it was made', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const { signatures = [] } = await cardOf(new Cards(GATEWAY, keys));
    expect(signatures.map(headerOf)).toEqual([{ alg: 'ES256', kid: keys.jwks.keys[0]?.kid, typ: 'JOSE' }]);
  });

  it.each([
    ['without security schemes', undefined],
    ['with security schemes', SECURITY],
  ])('is verified by us and by the SDK, %s', async (_, cardSecurity) => {
    const keys = new DeploymentKeys(await withNewKeys());
    const card = await cardOf(new Cards({ ...GATEWAY, cardSecurity }, keys));
    expect(await isSigned(card, keys.jwks)).toBe(true);
    expect(await isSignedForSdk(card, keys.jwks)).toBe(true);
  });

  it.each([
    ['without security schemes', undefined],
    ['with security schemes', SECURITY],
  ])('is verified in the form for clients of any version, too, %s', async (_, cardSecurity) => {
    const keys = new DeploymentKeys(await withNewKeys());
    const { body } = await new Cards({ ...GATEWAY, cardSecurity }, keys).document(PROFILE, 'agents/echo');
    const card = JSON.parse(body) as AgentCard;
    expect(card).toHaveProperty('protocolVersion', '0.3.0');
    expect(await isSigned(card, keys.jwks)).toBe(true);
    expect(await isSignedForSdk(card, keys.jwks)).toBe(true);
    const read = SdkCard.fromJSON(card);
    expect(await isSignedForSdk(read, keys.jwks)).toBe(cardSecurity === undefined);
  });

  it('is verified by the SDK after its client has read it, unless it has security schemes: the SDK loses them', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const plain = SdkCard.fromJSON(await cardOf(new Cards(GATEWAY, keys)));
    const secured = SdkCard.fromJSON(await cardOf(new Cards({ ...GATEWAY, cardSecurity: SECURITY }, keys)));
    expect([await isSignedForSdk(plain, keys.jwks), await isSignedForSdk(secured, keys.jwks)]).toEqual([true, false]);
  });

  it('is believed before, during and after a rotation by whoever knows a key of then', async () => {
    const old = await withNewKeys();
    const both = await withNewKeys(old);
    const only = { signing: both.signing.slice(0, 1), sealing: both.sealing.slice(0, 1) };
    const [before, during, after] = [old, both, only].map((keys) => new DeploymentKeys(keys)) as [
      ...[DeploymentKeys, DeploymentKeys, DeploymentKeys],
    ];
    const verdicts = async (signer: DeploymentKeys) => {
      const card = await cardOf(new Cards(GATEWAY, signer));
      return Promise.all([before, during, after].map(({ jwks }) => isSigned(card, jwks)));
    };
    expect(await verdicts(before)).toEqual([true, true, false]);
    expect(await verdicts(during)).toEqual([true, true, true]);
    expect(await verdicts(after)).toEqual([false, true, true]);
  });

  it('is believed no more once a byte of it is another', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const { body } = await new Cards({ ...GATEWAY, cardSecurity: SECURITY }, keys).document(PROFILE, '', '1.0');
    const changes = [
      ['1.2.3', '1.2.4'],
      ['gw.test', 'gv.test'],
      ['Bearer', 'bearer'],
      ['"warm"', '"worm"'],
      ['ça', 'ca'],
    ];
    for (const [from = '', to = ''] of changes) {
      const forged = JSON.parse(body.replace(from, to)) as AgentCard;
      expect([to, await isSigned(forged, keys.jwks), await isSignedForSdk(forged, keys.jwks)]).toEqual([
        to,
        false,
        false,
      ]);
    }
  });

  it('is signed once', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const signing = jest.spyOn(keys, 'signByAll');
    const cards = new Cards(GATEWAY, keys);
    const all = await Promise.all([1, 2, 3].map(() => cards.document(PROFILE, 'agents/echo', '1.0')));
    expect([new Set(all.map(({ body }) => body)).size, signing.mock.calls.length]).toEqual([1, 1]);
    await cards.document({ ...PROFILE }, 'agents/echo', '1.0');
    expect(signing.mock.calls).toHaveLength(2);
  });

  it('has the same entity tag on every gateway, until the card or a key is another', async () => {
    const set = await withNewKeys();
    const tagOf = async (keys: DeploymentKeys, profile = PROFILE) =>
      (await new Cards(GATEWAY, keys).document(profile, '')).etag;
    const tag = await tagOf(new DeploymentKeys(set));
    expect(await tagOf(new DeploymentKeys(set))).toBe(tag);
    expect(await tagOf(new DeploymentKeys(await withNewKeys(set)))).not.toBe(tag);
    expect(await tagOf(new DeploymentKeys(set), { ...PROFILE, version: '2' })).not.toBe(tag);
  });
});

it('the card of a deployment without keys is not signed, and promises no notifications', async () => {
  const card = await cardOf(new Cards(GATEWAY, undefined));
  expect([card.signatures, card.capabilities.pushNotifications]).toEqual([undefined, false]);
});

describe('the extended card', () => {
  const extended = { description: 'More', skills: [{ ...SKILL, id: 'shout' }] };
  const secured = { ...GATEWAY, cardSecurity: SECURITY };

  it.each([
    { when: 'the agent has none', gateway: secured, caller: ADA, code: 'UNSUPPORTED_OPERATION' },
    { when: 'callers cannot be told apart', gateway: GATEWAY, caller: ADA, extended, code: 'UNSUPPORTED_OPERATION' },
    { when: 'the caller is anonymous', gateway: secured, caller: ANONYMOUS, extended, code: 'UNAUTHENTICATED' },
    {
      ...{ when: 'it says nothing at present', gateway: secured, caller: ADA },
      ...{ extended: {}, code: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
    },
  ])('is refused where $when', async ({ gateway, caller, code, ...more }) => {
    const profile = 'extended' in more ? { ...PROFILE, extended: more.extended } : PROFILE;
    const refusal = new Cards(gateway, undefined).extended(caller, profile);
    await expect(refusal).rejects.toMatchObject({ name: 'ProtocolError', code });
  });

  it('is for callers who are authenticated, and signed like any other', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const card = await new Cards(secured, keys).extended(ADA, { ...PROFILE, extended });
    expect(card).toMatchObject({ description: 'More', skills: [{ id: 'echo' }, { id: 'shout' }] });
    expect(card.capabilities.extendedAgentCard).toBe(true);
    expect(await isSigned(card, keys.jwks)).toBe(true);
  });

  it('is signed once', async () => {
    const keys = new DeploymentKeys(await withNewKeys());
    const signing = jest.spyOn(keys, 'signByAll');
    const [cards, profile] = [new Cards(secured, keys), { ...PROFILE, extended }];
    const all = [await cards.extended(ADA, profile), await cards.extended(ADA, profile)];
    expect([all[0], signing.mock.calls.length]).toEqual([all[1], 1]);
  });
});
