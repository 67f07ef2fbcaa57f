import { serverInfo } from './info.mjs';
import { isNewEnough, versionOf, WHY_MINIMUM } from './version.mjs';

/**
 * Refuses a server that somebody else runs if Tidemark could not rely on it.
 * @param {string} url
 */
export async function checkExternal(url) {
  const info = await serverInfo(url);
  if (!isNewEnough(versionOf(info.version))) {
    throw new Error(`the NATS server at NATS_URL is ${info.version}; ${WHY_MINIMUM}`);
  }
  if (!info.jetstream) throw new Error('the NATS server at NATS_URL runs without JetStream; start it with `-js`');
  return info;
}
