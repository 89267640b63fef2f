import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The words after `node` by which `npm start` starts the server, and `npm run cli` the command line. */
export const builtProgramArgs = (program: 'main' | 'cli'): string[] => [
  fileURLToPath(new URL(`../../dist/${program}.js`, import.meta.url)),
];

/** Brings `dist/` up to date, once for a whole run: tests start the built server, and its pages come from there. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('dist/ could not be built');
}
