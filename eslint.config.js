import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

/** Numeric kernels: they index typed arrays, vectors and tables of numbers, whose bounds TypeScript does not know. */
const KERNELS = [
  'charts/figures/category-tallies',
  'columns/columns',
  'dataset/dataset-rows',
  'dataset/filter/filter',
  'dataset/filter/filter-loops',
  'dataset/filter/select-rows',
  'dataset/sort-rows',
  'dataset/read-numbers',
  'dataset/segment-codec',
  'expressions/compile-loops',
  'expressions/number-loops',
  'insights/outliers',
  'statistics/base',
  'statistics/count-choices',
  'statistics/crosstab/axis',
  'statistics/crosstab/axis-domains',
  'statistics/crosstab/category-table',
  'statistics/crosstab/cell-precision',
  'statistics/crosstab/column-comparer',
  'statistics/crosstab/count-crossing',
  'statistics/crosstab/slot-moments',
  'statistics/crosstab/variable-axis',
  'statistics/design/*',
  'statistics/independence',
  'statistics/moments',
  'statistics/rao-scott',
  'statistics/relations/*',
  'statistics/tally',
  'statistics/value-categories',
  'transforms/bin',
  'transforms/computed',
  'transforms/numbers',
  'weighting/rim-weighting',
  'weighting/weighting-cells',
].map((file) => `src/domain/${file}.ts`);

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
    'src/web/studio/client/data/api-types.d.ts',
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
    // A regular expression with more than linear time lets a text block the server.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: [...KERNELS, 'src/lib/symmetric-matrix.ts'],
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
