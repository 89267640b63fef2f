/**
 * `npm run test:node24 [-- files and options of vitest]`: runs the tests on Node 24. The npm package `node` brings the program; it is installed in a
 * folder of its own, because in the project's node_modules/.bin it would be the `node` of every npm script.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from './build.mjs';

const VERSION = '24.21.0';
const FOLDER = path.join(PROJECT, '.node24');
const PROGRAMS = path.join(FOLDER, 'node_modules', 'node', 'bin');
const isWindows = process.platform === 'win32';

const run = (program, words, options) => spawnSync(program, words, { stdio: 'inherit', ...options });

function versionOf(program) {
  return existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim() : '';
}

/** The package's install script fetches the package of this platform from the registry. */
function install(program) {
  if (versionOf(program) === `v${VERSION}`) return;
  mkdirSync(FOLDER, { recursive: true });
  const manifest = { private: true, dependencies: { node: VERSION }, allowScripts: { node: true } };
  writeFileSync(path.join(FOLDER, 'package.json'), JSON.stringify(manifest, null, 2));
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: FOLDER,
    shell: isWindows,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (versionOf(program) !== `v${VERSION}`)
    throw new Error(`Node ${VERSION} could not be installed in .node24`);
}

const program = path.join(PROGRAMS, isWindows ? 'node.exe' : 'node');
install(program);
// Tests start further programs, some of them by PATH.
const env = { ...process.env, PATH: `${PROGRAMS}${path.delimiter}${process.env.PATH}` };
const vitest = path.join(PROJECT, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = run(program, [vitest, 'run', ...process.argv.slice(2)], { cwd: PROJECT, env });
process.exitCode = status ?? 1;
