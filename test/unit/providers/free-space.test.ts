import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FreeSpace, spaceOnDisk } from '../../../src/providers/files/disk-storage.ts';

const folders = () => Promise.resolve([{ path: 'a' }, { path: 'b' }]);
const withFree = (freeBytes: number) => Promise.resolve({ freeBytes, totalBytes: 10_000 });
const low = { kind: 'unavailable', code: 'storage_low' };

describe('free space of disks', () => {
  it('is that of the fullest disk', async () => {
    const free = new Map([
      ['a', 1_000],
      ['b', 99],
    ]);
    const space = new FreeSpace(folders, 100, (folder) => withFree(free.get(folder)!));
    await expect(space.check()).rejects.toMatchObject(low);
    await expect(new FreeSpace(folders, 99, () => withFree(99)).check()).resolves.toBeUndefined();
  });

  it('subtracts bytes written since the disk was read, and reads it again after a second', async () => {
    let reads = 0;
    const space = new FreeSpace(folders, 100, () => withFree(((reads += 1), 150)));
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

  it('may keep only a share of a small disk free', async () => {
    const spaceOf = (free: number) =>
      new FreeSpace(
        () => Promise.resolve([{ path: 'a', floorShare: 0.1 }]),
        5_000,
        () => withFree(free),
      );
    await expect(spaceOf(999).check()).rejects.toMatchObject(low);
    await expect(spaceOf(1_001).check(1)).resolves.toBeUndefined();
    expect(await spaceOf(1_001).has(1)).toBe(true);
    expect(await spaceOf(1_001).has(2)).toBe(false);
    const large = new FreeSpace(
      () => Promise.resolve([{ path: 'a', floorShare: 0.9 }]),
      5_000,
      () => withFree(5_000),
    );
    expect(await large.has(0)).toBe(true);
    expect(await large.has(1)).toBe(false);
  });

  it('of a missing folder is that of its parent', async () => {
    const { freeBytes, totalBytes } = await spaceOnDisk('/tmp/not/there/yet');
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).not.toBe(Infinity);
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
  });
});
