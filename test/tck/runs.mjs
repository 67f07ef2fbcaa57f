import { KIT_1_0, KIT_MAIN } from './kits.mjs';

/**
 * One selection of one kit against a system of its own. `bindings` are those that it is run over, as far as the kit
 * speaks them and the card lists them.
 * @typedef {{ name: string, kit: import('./kits.mjs').Kit, agent: string, env?: NodeJS.ProcessEnv,
 *   bindings?: readonly string[], select?: readonly string[], needsBearer?: boolean,
 *   isPossible?: (card: Card) => boolean }} Run
 * @typedef {import('../conformance/system.mjs').Card} Card
 */

const REQUIRED_EXTENSION = 'urn:a2a:tck:required-extension';

/** The older kit holds that a blocking send returns while its task is worked on, so nobody waits for long here. */
const IMPATIENT = { BLOCKING_TIMEOUT_MS: '200' };

const MANDATORY = ['tests/mandatory', '-m', 'mandatory or mandatory_protocol or mandatory_jsonrpc'];
const MANDATORY_WITHOUT_RPC = ['tests/mandatory', '-m', 'mandatory or mandatory_protocol'];
const CAPABILITIES = ['tests/optional/capabilities'];

/**
 * Without a case that waits for a fifth event, or for a state by its name of 0.3, and does not give up over REST: this
 * kit wants tasks that are worked on for good, and their streams stay open.
 */
const CAPABILITIES_OF_REST = [
  ...CAPABILITIES,
  '--deselect=tests/optional/capabilities/test_streaming_methods.py::test_message_stream_basic',
];

/** Every call needs a token, which this kit sends where it is told to. */
const bearer = { needsBearer: true, isPossible: ({ securitySchemes }) => securitySchemes !== undefined };

const main = { kit: KIT_MAIN, agent: 'tck-main', env: IMPATIENT };

/** @type {readonly Run[]} */
export const RUNS = [
  { name: '1.0', kit: KIT_1_0, agent: 'tck' },
  {
    name: '1.0-required-extension',
    kit: KIT_1_0,
    agent: 'tck-required-extension',
    select: ['-k', 'TestCapabilityExtensionRequired'],
    isPossible: ({ capabilities }) =>
      capabilities.extensions.some(({ uri, required }) => uri === REQUIRED_EXTENSION && required),
  },
  {
    name: '1.0-without-push',
    kit: KIT_1_0,
    agent: 'tck',
    env: { KEYS_FILE: undefined },
    select: ['-k', 'test_push_not_supported or test_push_notification_not_supported'],
    isPossible: ({ capabilities }) => !capabilities.pushNotifications,
  },
  { name: 'main-mandatory', ...main, bindings: ['JSONRPC'], select: MANDATORY },
  { name: 'main-mandatory-rest', ...main, bindings: ['HTTP+JSON'], select: MANDATORY_WITHOUT_RPC },
  { name: 'main-mandatory-bearer', ...main, ...bearer, bindings: ['JSONRPC'], select: MANDATORY },
  { name: 'main-mandatory-rest-bearer', ...main, ...bearer, bindings: ['HTTP+JSON'], select: MANDATORY_WITHOUT_RPC },
  { name: 'main-capabilities', ...main, bindings: ['JSONRPC'], select: CAPABILITIES },
  { name: 'main-capabilities-rest', ...main, bindings: ['HTTP+JSON'], select: CAPABILITIES_OF_REST },
];

/**
 * The bindings that a run is over.
 * @param {Run} run
 * @param {Card} card
 */
export function bindingsOf({ kit, bindings = Object.keys(kit.transports) }, { supportedInterfaces }) {
  const served = new Set(
    supportedInterfaces
      .filter(({ protocolVersion }) => protocolVersion === '1.0')
      .map(({ protocolBinding }) => protocolBinding),
  );
  return bindings.filter((binding) => binding in kit.transports && served.has(binding));
}
