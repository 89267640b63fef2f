import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

/** Folders of src/ without non-null assertions. */
const CHECKED_FOLDERS = [
  ...['db', 'http', 'jobs', 'lib', 'middleware', 'providers', 'routes'],
  ...['answers', 'chat', 'dataset', 'derived', 'expressions', 'import', 'questions', 'seeding'].map(
    (folder) => `domain/${folder}`,
  ),
  ...['statistics', 'survey', 'text', 'transforms', 'weighting'].map((folder) => `domain/${folder}`),
];
/** Numeric kernels: they index typed arrays, vectors and tables of numbers, whose bounds TypeScript does not know. */
const KERNELS = [
  ...['columns/columns', 'dataset-rows', 'filter/filter', 'filter/filter-comparison'].map(
    (file) => `domain/dataset/${file}`,
  ),
  ...['filter/select-rows', 'read-numbers', 'segment-codec'].map((file) => `domain/dataset/${file}`),
  ...['compile-loops', 'number-loops'].map((file) => `domain/expressions/${file}`),
  ...['base', 'count-choices', 'independence', 'moments', 'tally', 'value-categories'].map(
    (file) => `domain/statistics/${file}`,
  ),
  ...['axis', 'category-table', 'count-crossing', 'slot-moments', 'variable-axis'].map(
    (file) => `domain/statistics/crosstab/${file}`,
  ),
  ...['bin', 'computed', 'numbers'].map((file) => `domain/transforms/${file}`),
  ...['rim-weighting', 'weighting-cells'].map((file) => `domain/weighting/${file}`),
];

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
    files: CHECKED_FOLDERS.map((folder) => `src/${folder}/**/*.ts`),
    ignores: KERNELS.map((file) => `src/${file}.ts`),
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
