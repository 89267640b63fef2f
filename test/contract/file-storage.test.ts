import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { DiskStorage, FreeSpace } from '../../src/providers/files/disk-storage.ts';
import type { FileStorage } from '../../src/providers/files/file-storage.ts';
import { S3Storage } from '../../src/providers/files/s3-storage.ts';
import { useFakeS3 } from '../support/fake-s3.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-files-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-that-only-tests-have' };
const s3 = useFakeS3(credentials);

const noFloor = new FreeSpace(() => Promise.resolve([]), 0);

interface Candidate {
  storage(): FileStorage;
  /** Every trace of stored bytes, wherever they are. */
  traces(): string[];
}

const candidates: Record<string, Candidate> = {
  'a folder': {
    storage: () => new DiskStorage(folder, noFloor),
    traces: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(path.join(folder, name)).isFile(),
      ),
  },
  'an S3-compatible store': {
    storage: () =>
      new S3Storage({
        endpoint: s3.endpoint,
        region: 'us-east-1',
        bucket: 'canvass',
        credentials,
        forcePathStyle: true,
      }),
    traces: () => [...s3.objects.keys(), ...s3.openUploads.keys()],
  },
};

async function* pieces(content: Buffer, pieceBytes = 100_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += pieceBytes)
    yield await Promise.resolve(content.subarray(start, start + pieceBytes));
}

async function* breakingAfter(content: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* pieces(content);
  throw error;
}

async function bytes(chunks: AsyncIterable<Buffer> | null): Promise<Buffer | null> {
  if (chunks === null) return null;
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const MB = 1024 * 1024;
const sha256 = (content: Buffer | null): string | null =>
  content === null ? null : createHash('sha256').update(content).digest('hex');

describe.each(Object.entries(candidates))('file storage in %s', (_, candidate) => {
  it.each([0, 1, 99_999, 5 * MB - 1, 5 * MB, 5 * MB + 1, 10 * MB, 12 * MB + 345])(
    'returns a stored file unchanged: %i bytes',
    async (size) => {
      const storage = candidate.storage();
      const name = randomUUID();
      const content = randomBytes(size);
      await storage.put(name, pieces(content));
      const stored = await bytes(await storage.get(name));
      expect(stored?.length).toBe(size);
      expect(sha256(stored)).toBe(sha256(content));
      await storage.remove(name);
    },
  );

  it('returns a part of a file, with its first and last byte', async () => {
    const storage = candidate.storage();
    const name = randomUUID();
    const content = randomBytes(300_000);
    await storage.put(name, pieces(content));
    for (const [start, end] of [
      [0, 0],
      [1, 200_000],
      [299_999, 299_999],
    ] as const)
      expect(await bytes(await storage.get(name, { start, end }))).toEqual(content.subarray(start, end + 1));
    await storage.remove(name);
    expect(await storage.get(name, { start: 0, end: 1 })).toBeNull();
  });

  it('deletes a file, and ignores a repeated deletion', async () => {
    const storage = candidate.storage();
    const name = randomUUID();
    await storage.put(name, pieces(randomBytes(10)));
    await storage.remove(name);
    expect(await storage.get(name)).toBeNull();
    await storage.remove(name);
    await storage.remove(randomUUID());
    expect(candidate.traces()).toEqual([]);
  });

  it.each([10, 7 * MB])('stores nothing when the stream fails after %i bytes', async (size) => {
    const storage = candidate.storage();
    const broken = new Error('The line was cut');
    const name = randomUUID();
    await expect(storage.put(name, breakingAfter(randomBytes(size), broken))).rejects.toBe(broken);
    expect(await storage.get(name)).toBeNull();
    expect(candidate.traces()).toEqual([]);
  });

  it('does not show a file before it is complete', async () => {
    const storage = candidate.storage();
    const name = randomUUID();
    let seen: unknown = 'never looked';
    async function* looking(): AsyncGenerator<Buffer> {
      yield Buffer.from('first');
      seen = await storage.get(name);
      yield Buffer.from('second');
    }
    await storage.put(name, looking());
    expect(seen).toBeNull();
    expect((await bytes(await storage.get(name)))?.toString()).toBe('firstsecond');
    await storage.remove(name);
  });

  it('supports aborting a read halfway', async () => {
    const storage = candidate.storage();
    const name = randomUUID();
    await storage.put(name, pieces(randomBytes(MB)));
    for await (const chunk of (await storage.get(name))!) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await storage.remove(name);
    expect(candidate.traces()).toEqual([]);
  });

  it.each(['', '../../etc/passwd', 'a/b', `${randomUUID()}/x`, randomUUID().toUpperCase() + 'Z'])(
    'rejects the foreign name %j',
    async (name) => {
      const storage = candidate.storage();
      await expect(storage.put(name, pieces(randomBytes(1)))).rejects.toThrow('UUID');
      await expect(storage.get(name)).rejects.toThrow('UUID');
      await expect(storage.remove(name)).rejects.toThrow('UUID');
      expect(candidate.traces()).toEqual([]);
    },
  );
});

describe('a failing file storage', () => {
  const ignoreFailure = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ kind: 'unavailable', code: 'file_storage_unavailable' });
    expect((error as AppError).headers).toHaveProperty('Retry-After');
  };

  it('is temporarily unavailable when S3 returns 500', async () => {
    const storage = candidates['an S3-compatible store']!.storage();
    s3.broken = true;
    try {
      await ignoreFailure(storage.put(randomUUID(), pieces(randomBytes(10))));
      await ignoreFailure(storage.get(randomUUID()));
      await ignoreFailure(storage.remove(randomUUID()));
    } finally {
      s3.broken = false;
    }
  });

  it('is unavailable when the folder is not writable', async () => {
    const storage = new DiskStorage('/dev/null/files', noFloor);
    await ignoreFailure(storage.put(randomUUID(), pieces(randomBytes(10))));
  });
});

it('file storage on disk gives access only to the owner and spreads files over folders', async () => {
  const name = randomUUID();
  await new DiskStorage(folder, noFloor).put(name, pieces(randomBytes(10)));
  const stored = path.join(folder, name.slice(0, 2), name.slice(2, 4), name);
  expect(statSync(stored).mode & 0o777).toBe(0o600);
  await new DiskStorage(folder, noFloor).remove(name);
});
