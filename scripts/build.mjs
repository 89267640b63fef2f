/**
 * Builds `dist/`: the server with esbuild, the pages with Vite. Plain JavaScript, because it runs before anything is built.
 *
 *   node scripts/build.mjs            builds
 *   node scripts/build.mjs --stale    builds if dist/ is missing or was built from other sources
 *   node scripts/build.mjs --prepare  the same after an installation; skips where development packages are not installed
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));
export const DIST = path.join(PROJECT, 'dist');

/** The parts of a build, each with its sources. */
const PARTS = {
  server: [
    'src',
    'docs',
    'migrations',
    'seeds',
    'scripts/build.mjs',
    'scripts/locked-packages.mjs',
    'package.json',
    'package-lock.json',
  ],
  pages: ['src/web', 'src/domain', 'src/lib', 'vite.config.ts', 'scripts/build.mjs', 'package-lock.json'],
};
/** Dependencies of which little is used: that part is built into `dist/`, which installs the others. */
const BUNDLED = ['@aws-sdk/client-s3', 'echarts', 'html-to-image', 'openai', 'preact', 'stripe'];
/** In `dist/`: the digests of the sources that the parts were built from. */
const DIGESTS_FILE = 'sources.json';
/** In `dist/`: the bill of materials. */
const BOM_FILE = 'sbom.cdx.json';
/** Read by modules at run time. */
const DATA_FILE = /\.(css|csv|png)$/;
/** Pictures that the help pages do not show. */
const README_PICTURE = /^docs[\\/]images[\\/](dashboard|report|respondent)/;

const at = (...parts) => path.join(PROJECT, ...parts);

/** Files below a folder, or the file itself, relative to the project. */
function filesOf(relative) {
  if (!existsSync(at(relative))) return [];
  if (!statSync(at(relative)).isDirectory()) return [relative];
  return readdirSync(at(relative), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(PROJECT, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Compares contents, because a checkout or a copy gives files new times. */
function digestsOfSources() {
  const digests = Object.entries(PARTS).map(([part, sources]) => {
    const hash = createHash('sha256');
    for (const file of sources.flatMap(filesOf)) {
      const content = readFileSync(at(file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
    return [part, hash.digest('hex')];
  });
  return Object.fromEntries(digests);
}

function digestsOfBuild() {
  const file = path.join(DIST, DIGESTS_FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

const canBuild = () =>
  ['src', 'node_modules/esbuild', 'node_modules/vite'].every((each) => existsSync(at(each)));

/**
 * Keeps lookups relative to a module valid: `import.meta.url` becomes the module's own address below `dist/`, where the data files
 * have the places that they have in the sources. Entries of worker threads are beside `main.js`.
 */
const moduleAddresses = {
  name: 'module-addresses',
  setup(build) {
    build.onLoad({ filter: /[/\\](src|seeds)[/\\].*\.ts$/ }, async ({ path: file }) => {
      const relative = path.relative(PROJECT, file).replaceAll(path.sep, '/');
      if (relative.startsWith('node_modules')) return undefined;
      const source = await readFile(file, 'utf8');
      const contents = source.replaceAll(
        'import.meta.url',
        `new URL('./${relative}', import.meta['url']).href`,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** The fields of `package.json` in `dist/`. */
function distManifest() {
  const { name, version, license, engines, dependencies, optionalDependencies, allowScripts } = JSON.parse(
    readFileSync(at('package.json'), 'utf8'),
  );
  const installed = Object.entries(dependencies).filter(([each]) => !BUNDLED.includes(each));
  return {
    name,
    version,
    license,
    private: true,
    type: 'module',
    engines,
    dependencies: Object.fromEntries(installed),
    optionalDependencies,
    allowScripts,
  };
}

/** Packages that `dist/` installs stay outside of the bundles. */
export function serverOptions(folder) {
  const { dependencies, optionalDependencies } = distManifest();
  const threads = filesOf('src').filter((file) => file.endsWith('-thread.ts'));
  return {
    absWorkingDir: PROJECT,
    entryPoints: ['src/main.ts', 'src/cli.ts', ...threads].map((file) => ({
      in: file,
      out: path.basename(file, '.ts'),
    })),
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: [...Object.keys(dependencies), ...Object.keys(optionalDependencies)],
    // CommonJS packages that become part of the server load Node's own modules with `require`.
    banner: {
      js: "import { createRequire as createRequireOfModule } from 'node:module'; const require = createRequireOfModule(import.meta.url);",
    },
    plugins: [moduleAddresses],
    logLevel: 'warning',
  };
}

/** What the server reads besides its bundles. */
export function copyDataFiles(folder) {
  for (const file of ['src', 'seeds'].flatMap(filesOf).filter((each) => DATA_FILE.test(each))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(at(file), path.join(folder, file));
  }
  for (const file of filesOf('docs').filter((each) => !README_PICTURE.test(each))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(at(file), path.join(folder, file));
  }
  writeJson(path.join(folder, 'package.json'), distManifest());
}

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Migrations are separate files, because the runner finds them by name. */
export function migrationOptions(folder) {
  return {
    ...serverOptions(folder),
    entryPoints: filesOf('migrations').filter((file) => file.endsWith('.ts')),
    outdir: path.join(folder, 'migrations'),
    outbase: at('migrations'),
    splitting: false,
  };
}

async function buildServer(folder) {
  const { build } = await import('esbuild');
  await Promise.all([build(serverOptions(folder)), build(migrationOptions(folder))]);
  copyDataFiles(folder);
  // Not imported above: before an installation, this script is alone.
  const { billOfMaterials, lockfileFor } = await import('./locked-packages.mjs');
  writeJson(path.join(folder, BOM_FILE), billOfMaterials());
  writeJson(path.join(folder, 'package-lock.json'), lockfileFor(distManifest()));
}

async function buildPages(folder) {
  const { createBuilder } = await import('vite');
  process.env.BUILD_FOLDER = folder;
  // Tests have another value, with which Vite makes larger files for development.
  process.env.NODE_ENV = 'production';
  const builder = await createBuilder({ root: PROJECT, configFile: at('vite.config.ts') });
  await builder.buildApp();
}

/** Builds the parts, keeps the others, and replaces `dist/` when all have succeeded. */
async function build(parts, digests) {
  const started = performance.now();
  const folder = at(`.dist-${process.pid}`);
  try {
    if (existsSync(DIST)) cpSync(DIST, folder, { recursive: true, filter: (file) => keeps(file, parts) });
    await Promise.all([
      parts.includes('server') && buildServer(folder),
      parts.includes('pages') && buildPages(folder),
    ]);
    writeJson(path.join(folder, DIGESTS_FILE), digests);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(folder, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `Built the ${parts.join(' and the ')} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
}

/** Pages are in `web`, everything else belongs to the server. */
function keeps(file, parts) {
  if (file === DIST) return true;
  const [top] = path.relative(DIST, file).split(path.sep);
  return !parts.includes(top === 'web' ? 'pages' : 'server');
}

const buildAll = () => build(Object.keys(PARTS), digestsOfSources());

/** Builds missing and outdated parts. Throws an error that says what to do if that is impossible. */
async function buildIfStale() {
  // An installation may consist only of `dist/` and its packages.
  if (existsSync(DIST) && !existsSync(at('src'))) return;
  const [wanted, built] = [digestsOfSources(), digestsOfBuild()];
  const stale = Object.keys(PARTS).filter((part) => wanted[part] !== built[part]);
  if (stale.length === 0) return;
  if (!canBuild()) {
    const problem = existsSync(DIST) ? 'dist/ was built from other sources' : 'dist/ is missing';
    throw new Error(
      `${problem}, and the development packages that build it are not installed. Run "npm ci", or copy dist/ from where it was built.`,
    );
  }
  await build(stale, wanted);
}

async function prepare() {
  if (canBuild()) await buildIfStale();
  else if (!existsSync(DIST))
    console.log('dist/ is not built: development packages or sources are not installed here.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = { '--stale': buildIfStale, '--prepare': prepare }[process.argv[2]] ?? buildAll;
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
