import { APP_PORTS, GRPC_PORT } from './apps.mjs';
import { askedPort, freePortOr, isFree } from './ports.mjs';

const NATS_PORT = 4222;

/** What a gateway takes for a no, as it says itself where it is told anything else. */
const NO = ['false', '0', 'no', 'off', 'n', 'disabled'];

/** @typedef {{ gateway?: number, grpc?: number, hasGrpc: boolean }} AskedPorts */

/**
 * The ports that the user asks for, and whether there is one of gRPC at all.
 * @param {NodeJS.ProcessEnv} env
 * @returns {AskedPorts}
 */
export function askedPorts(env) {
  const hasGrpc = !NO.includes((env.GRPC ?? '').trim().toLowerCase());
  const gateway = askedPort(env.PORT);
  const grpc = hasGrpc ? askedPort(env.GRPC_PORT, 'GRPC_PORT') : undefined;
  if (gateway && gateway === grpc) throw new Error(`PORT and GRPC_PORT must differ: both are ${gateway}`);
  return { gateway, grpc, hasGrpc };
}

/**
 * Whoever asked for a port by name would not look for us at another.
 * @param {AskedPorts} asked
 */
export async function refuseTakenPorts({ gateway, grpc }) {
  for (const [name, port] of Object.entries({ PORT: gateway, GRPC_PORT: grpc })) {
    if (port && !(await isFree(port))) throw new Error(`port ${port}, which ${name} asks for, is taken`);
  }
}

/**
 * A port for each who listens: no port of the broker where somebody else runs it, and none of gRPC where it is off.
 * @param {AskedPorts} asked
 * @param {import('./broker.mjs').Broker} broker
 */
export async function choosePorts({ gateway, grpc, hasGrpc }, broker) {
  const wanted = { ...APP_PORTS, gateway: gateway ?? APP_PORTS.gateway };
  const promised = [gateway, grpc].filter((port) => port !== undefined);
  const choose = async (name, port, isAsked = false) => {
    const chosen = isAsked ? port : await choosePort(name, port, promised);
    promised.push(chosen);
    return chosen;
  };
  const ports = /** @type {import('./apps.mjs').Ports} */ ({});
  for (const [name, port] of Object.entries(wanted)) ports[name] = await choose(name, port, port === gateway);
  const grpcPort = hasGrpc ? await choose('gRPC', grpc ?? GRPC_PORT, grpc !== undefined) : undefined;
  const natsPort = broker.kind === 'external' ? 0 : await choose('nats-server', NATS_PORT);
  return { ports, grpcPort, natsPort };
}

/**
 * @param {string} name
 * @param {number} wanted
 * @param {readonly number[]} promised
 */
async function choosePort(name, wanted, promised) {
  const port = await freePortOr(wanted, promised);
  if (port !== wanted) console.log(`    port ${wanted} is taken, so ${name} listens on ${port}`);
  return port;
}
