import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    'node_modules',
    'dist',
    '.dist-*',
    '.node24',
    'coverage',
    '.data',
    '.dependency-cruiser.cjs',
    'test/clients/programs',
  ]),
  js.configs.recommended,
  {
    files: ['scripts/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['URL', 'clearTimeout', 'console', 'performance', 'process', 'setTimeout'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [typescript.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    // Folders without non-null assertions. Kernels loop over typed arrays and number vectors, whose bounds TypeScript does not know.
    files: [
      'db',
      'domain/access',
      'domain/backup',
      'domain/charts',
      'domain/credits',
      'domain/dashboards',
      'domain/files',
      'domain/insights',
      'domain/invitations',
      'domain/quality',
      'domain/quota',
      'domain/reports',
      'domain/respondents',
      'exporters',
      'http',
      'importers',
      'jobs',
      'lib',
      'middleware',
      'providers',
      'routes',
    ].map((folder) => `src/${folder}/**/*.ts`),
    ignores: ['src/domain/charts/category-tallies.ts', 'src/domain/insights/outliers.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'error' },
  },
  {
    // Replies of supertest are any by nature.
    files: ['test/**/*.ts', 'bench/**/*.ts', 'faults/**/*.ts', 'fuzz/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
