import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
