import { userMessage } from './a2a.mjs';

/**
 * What one wants to know of a Tidemark that has just started.
 * @param {{
 *   gateway: string, grpcPort?: number, broker: import('./broker.mjs').Broker, natsUrl: string, dataDir: string,
 *   words: string, credential?: string,
 * }} running
 */
export function banner({ gateway, grpcPort, broker, natsUrl, dataDir, words, credential }) {
  const own = broker.kind === 'binary';
  return `
Tidemark is running.

  gateway   ${gateway}
  card      ${gateway}/.well-known/agent-card.json
  grpc      ${grpcPort ? `127.0.0.1:${grpcPort}` : 'off, as GRPC says'}
  broker    ${natsUrl}
  events    ${own ? `${dataDir}/nats` : 'in the server that NATS_URL names'}
  flush     ${own ? 'sync_interval: always (every acknowledged event is on disk)' : 'as that server is configured'}
  index     ${dataDir}/index (a fold of the events; it can be removed at any time)
  logs      ${dataDir}/logs

Send it a message${credential ? ', with a credential of yours' : ''}:

  ${curlLine(gateway, { words, credential })}

Ctrl-C ends it; what it stored is there at the next start.`;
}

/**
 * @param {string} gateway
 * @param {{ words: string, credential?: string }} call
 */
function curlLine(gateway, { words, credential }) {
  const params = { message: { ...userMessage([{ text: words }]), messageId: 'my-first-message' } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params });
  const body = call.replaceAll("'", `'\\''`);
  const headers = [
    "'content-type: application/json'",
    "'A2A-Version: 1.0'",
    ...(credential ? [`"${credential}"`] : []),
  ];
  return `curl -s ${gateway}/ ${headers.map((header) => `-H ${header}`).join(' ')} -d '${body}'`;
}
