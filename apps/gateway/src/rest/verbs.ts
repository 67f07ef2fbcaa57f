import { legacyVerbsAt } from '../legacy/rest-routes';
import { placeAt } from './routes';

/** What is served besides operations, by the path without its slashes at the ends. */
const OTHERS: readonly { readonly path: RegExp; readonly verb: string }[] = [
  { path: /^(agents\/[^/]+)?$/, verb: 'POST' }, // JSON-RPC
  { path: /^agents$|^(openapi\.json|healthz|readyz)$/, verb: 'GET' },
  { path: /^((agents\/)?[^/]+\/)?\.well-known\/agent-card\.json$|^\.well-known\/jwks\.json$/, verb: 'GET' },
  { path: /^agents\/[^/]+\/tasks\/[^/]+\/parts\/[^/]+$/, verb: 'GET' },
];

/** The verbs that a path takes, besides OPTIONS; none where there is nothing. */
export function verbsAt(url: string): readonly string[] {
  const path = (url.split('?')[0] ?? '').replace(/^\/|\/$/g, '');
  const legacy = /^(?:agents\/[^/]+\/)?v1\/(.*)$/.exec(path)?.[1];
  const verbs = [
    ...(placeAt(url)?.routes.map(({ verb }) => verb) ?? []),
    ...(legacy === undefined ? [] : legacyVerbsAt(legacy)),
    ...OTHERS.filter((other) => other.path.test(path)).map(({ verb }) => verb),
  ];
  return [...new Set(verbs.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])))];
}
