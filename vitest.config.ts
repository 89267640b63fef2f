import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

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

/** The folders of `test/` that `vitest --project NAME` runs. */
const PROJECTS = {
  unit: ['unit', 'architecture', 'contract'],
  api: ['api'],
  browser: ['browser'],
  // What starts or kills processes, or opens files with other programs.
  system: ['system', 'start', 'faults', 'clients', 'programs'],
};

export default defineConfig({
  test: {
    projects: Object.entries(PROJECTS).map(([name, folders]) => ({
      plugins: [builtThreads],
      test: {
        name,
        include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
        setupFiles: ['test/support/property-seed.ts'],
        pool: 'forks' as const,
        // Test files share imported modules. No module has state, and importing again took most of the time.
        isolate: false,
        testTimeout: 90_000,
        // As long as waiting for an element: pages load slowly where many tests run at once.
        expect: { poll: { timeout: 8_000 } },
        hookTimeout: 120_000,
      },
    })),
    // Once for all projects.
    globalSetup: [
      'test/support/built-program.ts',
      'test/support/temporary-files-in-memory.ts',
      'test/support/database-server.ts',
    ],
    maxWorkers: Math.max(2, os.availableParallelism()),
  },
});
