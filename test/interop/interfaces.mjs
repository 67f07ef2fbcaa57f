const VERSIONS = ['1.0', '0.3'];

/**
 * What is served at a URL, as `1.0 JSONRPC`. Clients of 0.3 are told by members of their own, at the top of the card.
 * @param {string} url
 * @returns {Promise<ReadonlySet<string>>}
 */
export async function interfacesAt(url) {
  const cards = await Promise.all(VERSIONS.map((version) => cardOf(url, version)));
  return new Set(cards.flatMap((card) => [...interfacesIn(card), ...legacyInterfacesIn(card)]));
}

/**
 * @param {string} url
 * @param {string} version
 */
async function cardOf(url, version) {
  const reply = await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': version } });
  return reply.ok ? reply.json() : {};
}

const interfacesIn = ({ supportedInterfaces = [] }) =>
  supportedInterfaces.map(({ protocolVersion, protocolBinding }) => `${protocolVersion} ${protocolBinding}`);

function legacyInterfacesIn({ url, preferredTransport = 'JSONRPC', additionalInterfaces = [] }) {
  const transports = [...(url ? [preferredTransport] : []), ...additionalInterfaces.map(({ transport }) => transport)];
  return transports.map((transport) => `0.3 ${transport}`);
}
