/** Who may import whom. `npm run check:architecture` refuses everything else. */
const lib = (name) => `^libs/${name}/`;
const anyOf = (...names) => `^libs/(${names.join('|')})/`;

const onlyFrom = (name, allowedLibs, comment) => ({
  name: `${name}-imports-inward`,
  comment,
  severity: 'error',
  from: { path: lib(name), pathNot: '\\.spec\\.ts$' },
  to: { path: '^libs/', pathNot: anyOf(name, ...allowedLibs) },
});

const onlyPackages = (name, packages) => ({
  name: `${name}-packages`,
  comment: `libs/${name} may use only: ${packages.join(', ') || 'no package at all'}`,
  severity: 'error',
  from: { path: lib(name), pathNot: ['\\.spec\\.ts$', '/write-documents\\.ts$'] },
  to: {
    dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'core'],
    pathNot: packages.map((p) => `(^|node_modules/)${p}`),
  },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: lib('domain'), pathNot: '\\.spec\\.ts$' },
      to: { pathNot: lib('domain') },
    },
    onlyFrom('jetstream', [], 'what all uses of JetStream share'),
    onlyFrom('event-log', ['domain', 'jetstream'], 'the log knows the domain'),
    onlyFrom('blobs', ['domain', 'jetstream'], 'content that events are too small for'),
    onlyFrom('read-model', ['domain', 'jetstream'], 'snapshots and index fold the log'),
    onlyFrom('protocol', ['domain'], 'the wire knows the domain'),
    onlyFrom('executor-protocol', ['domain', 'event-log', 'protocol'], 'executors in any language'),
    onlyFrom('agent', ['domain'], 'authors see the domain only'),
    onlyFrom('adapters', ['agent', 'domain'], 'what makes an agent of other code'),
    onlyFrom('keys', [], 'what a deployment signs with'),
    onlyFrom('push', ['domain', 'event-log', 'jetstream', 'keys'], 'webhooks: who is told, where, and how safely'),
    onlyFrom('platform', ['event-log', 'jetstream'], 'Nest and NATS plumbing'),
    onlyPackages('jetstream', ['@nats-io/', 'timers']),
    onlyPackages('event-log', ['@nats-io/', 'node:', 'timers', 'events', 'zlib']),
    onlyPackages('blobs', ['@nats-io/', 'crypto', 'timers']),
    onlyPackages('protocol', ['zod', 'crypto']),
    onlyPackages('executor-protocol', ['zod']),
    onlyPackages('keys', ['jose', 'zod', 'crypto', 'fs']),
    onlyPackages('push', [
      '@nats-io/',
      'ipaddr.js',
      'jose',
      'zod',
      'crypto',
      'dns',
      'http',
      'https',
      'net',
      'timers',
      'url',
    ]),
    onlyPackages('agent', []),
    onlyPackages('adapters', ['@a2a-js/sdk', 'zod', 'child_process', 'events', 'timers']),
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'apps-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['\\.spec\\.ts$', '^libs/testing/', '\\.contract\\.ts$'] },
      to: { path: lib('testing') },
    },
    {
      name: 'one-door-per-lib',
      comment: 'a lib is entered by its index.ts',
      severity: 'error',
      from: { path: '^(?:apps|libs)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/(?!index\\.ts$)', pathNot: '^libs/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'import', 'node', 'default', 'types'],
    },
  },
};
