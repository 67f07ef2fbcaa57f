// Nest 12 is ESM-only and Jest can require() ESM only on Node >= 24.9, so on older ones the ESM-only
// packages go through SWC to CommonJS like our own code. Add a package here when Jest says
// "Must use import to load ES Module".
const esmOnly = ['@nestjs', 'jose'];

const swc = {
  swcrc: false,
  configFile: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** @type {import('jest').Config} */
const base = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.[tj]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  moduleNameMapper: { '^@?tidemark/([^/]+)$': '<rootDir>/libs/$1/src' },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  setupFiles: ['reflect-metadata'],
};

/** @type {import('jest').Config} */
module.exports = {
  testTimeout: 60_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs}/**/*.spec.ts', '<rootDir>/test/docs/*.spec.ts'],
    },
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/*.e2e-spec.ts'] },
  ],
};
