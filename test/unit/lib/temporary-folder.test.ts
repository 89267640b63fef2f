import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTemporaryFolder,
  removeAbandonedFolders,
  removeTemporaryFolder,
} from '../../../src/lib/temporary-folder.ts';

const before = process.env.TMPDIR;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-test-folders-'));
  process.env.TMPDIR = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(folder, { recursive: true, force: true });
});

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid;

describe('temporary folders', () => {
  it('are removed with their contents', async () => {
    const created = await createTemporaryFolder('reply');
    writeFileSync(path.join(created, 'reply'), 'text');
    await removeTemporaryFolder(created);
    expect(existsSync(created)).toBe(false);
  });

  it('of a killed process are removed at the next start, those of a running process or another machine are not', async () => {
    const own = path.basename(await createTemporaryFolder('import'));
    const named = (pid: number | string) => own.replace(`-${process.pid}-`, `-${pid}-`);
    const kept = [
      named(process.ppid),
      `canvass-reply-another_machine-${deadPid()}-AbCdEf`,
      'canvass-backups',
      `other-reply-${deadPid()}-AbCdEf`,
    ];
    const abandoned = [named(deadPid()), own];
    for (const name of [...kept, ...abandoned]) {
      mkdirSync(path.join(folder, name), { recursive: true });
      writeFileSync(path.join(folder, name, 'reply'), 'text');
    }
    const removed = await removeAbandonedFolders();
    expect(removed.map((item) => path.basename(item)).sort()).toEqual(abandoned.sort());
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
  });
});
