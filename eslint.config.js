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
    // Folders without non-null assertions. Kernels index typed arrays, whose bounds TypeScript does not know.
    files: ['db', 'http', 'jobs', 'lib', 'middleware', 'providers', 'repositories', 'routes'].map(
      (folder) => `src/${folder}/**/*.ts`,
    ),
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
