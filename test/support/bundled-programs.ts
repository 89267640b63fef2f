import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import { bundleFolder, bundlePrograms } from './bundle-programs.ts';

/**
 * Call at the top of a test file that starts programs again and again: the same programs, each in one file, start in
 * a third of the time of some hundreds of files that are transpiled on the way. What comes back are the words after
 * `node`. They need a database that has been migrated before.
 */
export function useBundledPrograms(): (program: 'main' | 'cli') => string[] {
  const folder = bundleFolder('test');
  beforeAll(() => bundlePrograms(folder));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (program) => [`${folder}${program}.mjs`];
}
