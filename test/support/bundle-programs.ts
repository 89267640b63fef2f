import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

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

/** The programs that people start, each in one file of the folder. */
export async function bundlePrograms(folder: string): Promise<void> {
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
}

/** Beside the packages: there the programs find them. */
export const bundleFolder = (name: string): string =>
  fileURLToPath(new URL(`node_modules/.cache/canvass-${name}-${process.pid}/`, PROJECT));
