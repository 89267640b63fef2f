import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../src/lib/processes.ts';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4e9;

/**
 * The temporary files of the whole run are in memory, where the system has a place for that: a database is some hundreds
 * of files, and to make those on a disk for every test file took a tenth of the run.
 */
export default function setup(): (() => void) | undefined {
  if (!canUseMemory()) return undefined;
  removeLeftovers();
  const folder = mkdtempSync(path.join(MEMORY, `canvass-tests-${process.pid}-`));
  // Some programs run under another account than root, so the folder is accessible to all accounts, like the temporary folder.
  chmodSync(folder, 0o1777);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  return () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Removes folders of killed runs. Database servers of such runs end when their files are removed. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^canvass-tests-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
}

/** Programs are tried out there too: some systems let none run from it. */
function canUseMemory(): boolean {
  if (process.platform !== 'linux' || os.freemem() < MIN_FREE_BYTES) return false;
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === MEMORY)?.[3];
  if (options === undefined || options.split(',').some((each) => each === 'noexec' || each === 'ro'))
    return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > MIN_FREE_BYTES;
}
