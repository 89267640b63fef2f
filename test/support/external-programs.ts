import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const UTF8 = { ...process.env, LC_ALL: 'C.UTF-8' };

/** Without the program its tests are skipped with a message; in CI it must be installed. */
interface Program {
  /** Whether to skip what needs it. */
  isSkipped: boolean;
  /** To be put behind the title of a test. */
  skipNote: string;
}

/** One that opens files which we wrote. */
export function program(name: string, isInstalled: () => boolean): Program {
  const isMissing = !isInstalled();
  return {
    isSkipped: isMissing && process.env.CI !== 'true',
    skipNote: isMissing ? ` (${name} is not installed)` : '',
  };
}

export const PSPP = program('pspp', () => spawnSync('pspp', ['--version']).status === 0);
const rPackage = (name: string) =>
  program(`R ${name}`, () => spawnSync('Rscript', ['-e', `library(${name})`]).status === 0);
export const HAVEN = rPackage('haven');
export const READR = rPackage('readr');
export const READXL = rPackage('readxl');

/** What PSPP prints as CSV, having run the syntax in the folder; throws when it has anything to complain of. */
export function runPspp(folder: string, syntax: string): string {
  const file = path.join(folder, 'look.sps');
  writeFileSync(file, `${syntax}\n`);
  const settings = ['-O', 'format=csv', '-o', '-', file];
  const { status, stdout, stderr } = spawnSync('pspp', settings, {
    cwd: folder,
    env: UTF8,
    encoding: 'utf8',
  });
  const output = stdout + stderr;
  if (status !== 0 || /warning|error/i.test(output)) throw new Error(output);
  return output;
}

/** The lines that R prints, haven being there; throws when it has anything to complain of. */
export function runHaven(folder: string, script: string): string[] {
  return runR(folder, 'haven', script);
}

/** The lines that R prints with a package; throws when it has anything to complain of. */
export function runR(folder: string, library: string, script: string): string[] {
  const expression = `options(warn = 2); suppressPackageStartupMessages(library(${library})); ${script}`;
  const { status, stdout, stderr } = spawnSync('Rscript', ['-e', expression], {
    cwd: folder,
    env: UTF8,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trimEnd().split('\n');
}
