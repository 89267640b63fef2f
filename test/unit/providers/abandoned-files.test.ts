import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { processTag } from '../../../src/lib/processes.ts';
import { DiskStorage, FreeSpace, removeAbandonedFiles } from '../../../src/providers/files/disk-storage.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-abandoned-'));
const incoming = path.join(folder, 'incoming');
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const storage = new DiskStorage(folder, new FreeSpace(() => Promise.resolve([]), 0));

it('nothing is abandoned before the first file is stored', async () => {
  expect(await removeAbandonedFiles(folder)).toEqual([]);
});

it('an unfinished file bears the tag of its process, and is gone when the file is stored', async () => {
  const name = randomUUID();
  let during: string[] = [];
  async function* chunks() {
    yield await Promise.resolve(Buffer.from('one'));
    during = readdirSync(incoming);
  }
  await storage.put(name, chunks());
  expect(during).toEqual([`${name}.${processTag()}`]);
  expect(readdirSync(incoming)).toEqual([]);
});

it('the unfinished files of killed processes of this machine are removed at the start, others are not', async () => {
  mkdirSync(incoming, { recursive: true });
  const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
  const named = (pid: number) => `${randomUUID()}.${processTag().replace(/\d+$/, String(pid))}`;
  const abandoned = [named(deadPid), named(process.pid)];
  const kept = [named(process.ppid), `${randomUUID()}.another_machine-${deadPid}`];
  for (const name of [...abandoned, ...kept]) writeFileSync(path.join(incoming, name), 'text');
  const removed = await removeAbandonedFiles(folder);
  expect(removed.map((file) => path.basename(file)).sort()).toEqual(abandoned.sort());
  expect(readdirSync(incoming).sort()).toEqual(kept.sort());
});
