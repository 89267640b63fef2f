import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Worker threads run the built modules, which are up to date when tests begin: each thread of a source would load the TypeScript
 * loader and compile its modules first, which takes seconds.
 */
const builtThreads = {
  name: 'built-threads',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.includes('/src/')
      ? code.replaceAll(
          /new URL\('\.\/([\w-]+-thread)\.ts', import\.meta\.url\)/g,
          (_, name: string) => `new URL('${pathToFileURL(path.resolve('dist', `${name}.js`)).href}')`,
        )
      : undefined,
};

export default defineConfig({
  plugins: [builtThreads],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/built-program.ts',
      'test/support/temporary-files-in-memory.ts',
      'test/support/database-server.ts',
    ],
    setupFiles: ['test/support/property-seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Test files share imported modules. No module has state, and importing again took most of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 90_000,
    // As long as waiting for an element: pages load slowly where many tests run at once.
    expect: { poll: { timeout: 8_000 } },
    hookTimeout: 120_000,
  },
});
