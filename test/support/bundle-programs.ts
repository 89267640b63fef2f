import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const PROJECT = new URL('../../', import.meta.url);

/** Packages of many small files, which every start reads: with these in the programs it takes two thirds of the time. */
const WITHIN = new Set([
  'cookie-parser',
  'cors',
  'csv-parse',
  'express',
  'express-rate-limit',
  'file-type',
  'helmet',
  'ioredis',
  'jsonwebtoken',
  'knex',
  'markdown-it',
  'multer',
  'nodemailer',
  'pg',
  'prom-client',
  'zod',
  'zod-openapi',
]);
/** What these packages would load if it were installed. */
const NOT_INSTALLED = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

/** Modules keep the address that their source has: of it they find what lies beside them. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\](seeds|src|test)[/\\].*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      return {
        contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
        loader: 'ts',
      };
    });
  },
};

/** The programs that people start. */
export const PRODUCT: readonly URL[] = ['main', 'cli'].map((name) => new URL(`src/${name}.ts`, PROJECT));

/** Programs of the project, each in one file `<name>.mjs` of the folder. */
export interface Bundle {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function bundlePrograms(sources: readonly URL[]): Promise<Bundle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'canvass-programs-'));
  // Any account may start them, and they find their packages.
  await chmod(folder, 0o755);
  await symlink(
    fileURLToPath(new URL('node_modules', PROJECT)),
    path.join(folder, 'node_modules'),
    'junction',
  );
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', PROJECT), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  await build({
    entryPoints: sources.map((source) => fileURLToPath(source)),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...Object.keys(dependencies).filter((name) => !WITHIN.has(name)), ...NOT_INSTALLED],
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    plugins: [ownAddresses],
    logLevel: 'error',
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
