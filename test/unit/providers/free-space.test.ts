import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freeBytesOnDisk, FreeSpace } from '../../../src/providers/files/disk-storage.ts';

const folders = () => Promise.resolve(['a', 'b']);
const low = { kind: 'unavailable', code: 'storage_low' };

describe('free space of disks', () => {
  it('is that of the fullest disk', async () => {
    const free = new Map([
      ['a', 1_000],
      ['b', 99],
    ]);
    const space = new FreeSpace(folders, 100, (folder) => Promise.resolve(free.get(folder)!));
    await expect(space.check()).rejects.toMatchObject(low);
    await expect(new FreeSpace(folders, 99, () => Promise.resolve(99)).check()).resolves.toBeUndefined();
  });

  it('subtracts bytes written since the disk was read, and reads it again after a second', async () => {
    let reads = 0;
    const space = new FreeSpace(folders, 100, () => Promise.resolve(((reads += 1), 150)));
    await Promise.all([space.check(20), space.check(20)]);
    await expect(space.check(20)).rejects.toMatchObject(low);
    await space.check(10);
    expect(reads).toBe(2);
    await sleep(1_050);
    await space.check(20);
    expect(reads).toBe(4);
  });

  it('is not read without a configured minimum', async () => {
    const space = new FreeSpace(folders, 0, () => Promise.reject(new Error('was read')));
    await expect(space.check(1e15)).resolves.toBeUndefined();
  });

  it('of a missing folder is that of its parent', async () => {
    expect(await freeBytesOnDisk('/tmp/not/there/yet')).toBeGreaterThan(0);
    expect(await freeBytesOnDisk('/tmp/not/there/yet')).not.toBe(Infinity);
  });
});
