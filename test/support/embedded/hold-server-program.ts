import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { beforeAll } from 'vitest';

/** Modules keep their source's address, from which they find the packages with PostgreSQL. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      return {
        contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
        loader: 'ts',
      };
    });
  },
};

/**
 * Call at the top of a test file: returns the words after `node` that run hold-server.ts. The program is one file in a folder that any
 * account may enter, because it also runs under accounts that may not read the project.
 */
export function useHoldServer(): () => string[] {
  let file = '';
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'canvass-hold-server-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    file = path.join(folder, 'hold-server.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./hold-server.ts', import.meta.url))],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['pg-native'],
      banner: {
        js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
      },
      plugins: [sourceAddresses],
      logLevel: 'error',
    });
  });
  return () => [file];
}
