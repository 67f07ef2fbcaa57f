/**
 * One case of a kit. `message` says why it failed, or was skipped.
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', message?: string }} Case
 */

const OUTCOMES = { failure: 'failed', error: 'failed', skipped: 'skipped' };
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The cases of a report as pytest writes it. A case that failed and could not be torn down is one case.
 * @param {string} xml
 * @returns {Case[]}
 */
export function casesIn(xml) {
  const found = [...xml.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)];
  return found.map(([, attributes, inside = '']) => toCase(attributesIn(attributes), inside));
}

/**
 * @param {Record<string, string>} attributes
 * @param {string} inside
 * @returns {Case}
 */
function toCase({ classname, name }, inside) {
  const [, element, attributes = ''] = /<(failure|error|skipped)\b([^>]*)/.exec(inside) ?? [];
  const file = classname.replace(/^tests\./, '');
  return {
    name: `${file}::${name}`,
    outcome: element ? OUTCOMES[element] : 'passed',
    ...(element && { message: attributesIn(attributes).message }),
  };
}

/** @param {string} text */
function attributesIn(text) {
  const pairs = [...text.matchAll(/([\w:]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, plain(value)]));
}

/** @param {string} text */
function plain(text) {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hexadecimal, name) => {
    if (name) return ENTITIES[name] ?? '';
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}
