import { rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { type Bundle, bundlePrograms, PRODUCT } from './bundle-programs.ts';

const PROGRAMS = [...PRODUCT, new URL('./embedded/hold-server.ts', import.meta.url)];
type Program = 'main' | 'cli' | 'hold-server';

let made: Promise<Bundle> | null = null;

/** Once for all test files of a process, gone with it. */
export function bundledPrograms(): Promise<Bundle> {
  made ??= bundlePrograms(PROGRAMS).then((bundle) => {
    process.once('exit', () => rmSync(bundle.folder, { recursive: true, force: true }));
    return bundle;
  });
  return made;
}

/**
 * Call at the top of a test file that starts programs again and again: the same programs, each in one file, start in
 * a quarter of the time of some hundreds of files that are transpiled on the way. What comes back are the words after
 * `node`. Where they have to migrate the database, `migrates`: the migrations are source.
 */
export function useBundledPrograms(): (program: Program, migrates?: boolean) => string[] {
  let folder = '';
  beforeAll(async () => {
    ({ folder } = await bundledPrograms());
  });
  return (program, migrates = false) => [
    ...(migrates ? ['--import', 'tsx'] : []),
    path.join(folder, `${program}.mjs`),
  ];
}
