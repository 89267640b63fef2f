import os from 'node:os';
import { defineConfig } from 'vitest/config';

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
