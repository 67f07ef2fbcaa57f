import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// The sizes are those of CONTRIBUTING.md. A limit has no exceptions: split, or change the number for all by an ADR.
const counted = { skipBlankLines: true, skipComments: true };

export default tseslint.config(
  { ignores: ['dist', 'coverage', 'node_modules', '**/*.cjs', '**/*.mjs', 'deploy/template'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-warning-comments': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      'max-lines': ['error', { max: 250, ...counted }],
      'max-lines-per-function': ['error', { max: 40, ...counted }],
      'import-x/max-dependencies': ['error', { max: 12, ignoreTypeImports: false }],
      // Never turn on consistent-type-imports: it erases the classes that emitDecoratorMetadata needs.
    },
  },
  {
    // A door lists every name of its lib, however many files they come from.
    files: ['libs/*/src/index.ts'],
    rules: { 'import-x/max-dependencies': 'off' },
  },
  {
    // A test file is one `describe`, so only the file is bounded.
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
    rules: { 'max-lines': ['error', { max: 500, ...counted }], 'max-lines-per-function': 'off' },
  },
);
