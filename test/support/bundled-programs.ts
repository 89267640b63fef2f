import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

const PROJECT = new URL('../../', import.meta.url);

/** Modules keep the address that their source has: of it they find what lies beside them. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return {
        contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts',
      };
    });
  },
};

/**
 * Call at the top of a test file that starts programs again and again: the same programs, each in one file, start in
 * a third of the time of some hundreds of files that are transpiled on the way. What comes back are the words after
 * `node`. They need a database that has been migrated before.
 */
export function useBundledPrograms(): (program: 'main' | 'cli') => string[] {
  // Beside the packages: there they find them.
  const folder = fileURLToPath(new URL(`node_modules/.cache/canvass-test-${process.pid}/`, PROJECT));
  beforeAll(async () => {
    await build({
      entryPoints: ['main', 'cli'].map((program) => fileURLToPath(new URL(`src/${program}.ts`, PROJECT))),
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      plugins: [ownAddresses],
      logLevel: 'error',
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (program) => [`${folder}${program}.mjs`];
}
