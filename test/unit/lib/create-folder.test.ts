import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createFolder } from '../../../src/lib/create-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { folder, remove } = temporaryFolder('create-folder');
afterAll(remove);

it('creates missing folders with a mode, and leaves existing ones', () => {
  const inner = path.join(folder, 'a', 'b', 'c');
  mkdirSync(path.join(folder, 'a'), { mode: 0o755 });
  createFolder(inner, 0o700);
  createFolder(inner);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'a')).mode & 0o777).toBe(0o755);
});

it.runIf(existsSync('/proc/self'))('fails where the system refuses, instead of trying forever', () => {
  expect(() => createFolder('/proc/canvass/data')).toThrow(/ENOENT|EACCES|EPERM/);
});
