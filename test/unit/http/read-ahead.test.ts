import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readAhead, type ReplyFile } from '../../../src/http/send-reply.ts';
import { useFolder } from '../../support/test-folder.ts';

const PARTS = 50;

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** The temporary folder of this file alone, because other processes export too. */
const folder = useFolder();
beforeAll(() => {
  vi.stubEnv('TMPDIR', folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
});
const temporary = () => readdirSync(folder);

describe('readAhead', () => {
  test('yields all chunks in order, texts and bytes', async () => {
    const before = temporary();
    async function* chunks() {
      for (let part = 0; part < PARTS; part += 1) {
        await wait(part % 7 === 0 ? 1 : 0);
        yield part % 2 === 0 ? `${part} é ` : Buffer.from(`${part} 語 `);
      }
    }
    const expected = Array.from({ length: PARTS }, (_, part) => `${part} ${part % 2 === 0 ? 'é' : '語'} `);
    expect(await textOf(readAhead(chunks()))).toBe(expected.join(''));
    expect(temporary()).toEqual(before);
  });

  test('reads the source to its end while the reader is at the beginning', async () => {
    let isDone = false;
    async function* chunks() {
      for (let part = 0; part < PARTS; part += 1) yield Buffer.alloc(100_000, part);
      isDone = true;
      await Promise.resolve();
    }
    const reading = readAhead(chunks());
    await reading.next();
    while (!isDone) await wait(1);
    let bytes = 0;
    for await (const chunk of reading) bytes += chunk.length;
    expect(bytes).toBeGreaterThan((PARTS - 10) * 100_000);
  });

  test('fails after the chunks that preceded a source error', async () => {
    async function* chunks() {
      yield 'a beginning';
      await Promise.resolve();
      throw new Error('no more');
    }
    const reading = readAhead(chunks());
    expect(String((await reading.next()).value)).toBe('a beginning');
    await expect(reading.next()).rejects.toThrow('no more');
  });

  test('stops the source when the reader leaves, and removes its file', async () => {
    const before = temporary();
    let createdCount = 0;
    let wasEnded = false;
    async function* chunks() {
      try {
        for (;;) {
          await wait(1);
          createdCount += 1;
          yield 'more';
        }
      } finally {
        wasEnded = true;
      }
    }
    for await (const chunk of readAhead(chunks())) if (chunk.length > 0) break;
    const then = createdCount;
    await wait(20);
    expect(createdCount).toBe(then);
    expect(wasEnded).toBe(true);
    expect(temporary()).toEqual(before);
  });
});

describe('the temporary file of a reply', () => {
  /** Chunks that record when they start and end. */
  function watched(count: number) {
    const state = { begun: false, ended: false };
    async function* chunks() {
      state.begun = true;
      try {
        for (let part = 0; part < count; part += 1) {
          await Promise.resolve();
          yield Buffer.alloc(10_000, part);
        }
      } finally {
        state.ended = true;
      }
    }
    return { chunks: chunks(), state };
  }
  /** A real file whose writes take a part of the bytes: what `taken` says. */
  const limited = (taken: (length: number) => number) => async (name: string) => {
    const file = await open(name, 'wx+', 0o600);
    const write = (bytes: Buffer, offset: number, length: number, position: number) =>
      file.write(bytes, offset, taken(length), position);
    return {
      read: file.read.bind(file),
      truncate: file.truncate.bind(file),
      close: file.close.bind(file),
      write,
    } as ReplyFile;
  };
  const expected = Buffer.concat(Array.from({ length: PARTS }, (_, part) => Buffer.alloc(10_000, part)));
  async function readAll(reading: AsyncIterable<Buffer>): Promise<boolean> {
    const parts: Buffer[] = [];
    for await (const part of reading) {
      parts.push(part);
      // Slower than the source.
      await wait(1);
    }
    return Buffer.concat(parts).equals(expected);
  }

  test('is complete if each write takes only part of the bytes', async () => {
    const openFile = limited((length) => Math.min(length, 777));
    expect(await readAll(readAhead(watched(PARTS).chunks, { openFile }))).toBe(true);
  });

  test('is used again and again while it has little space, and the reply is complete', async () => {
    const before = temporary();
    let room = 55_555;
    const openFile = async (name: string) => {
      const file = await limited((length) => {
        const part = Math.min(length, room, 7_000);
        room -= part;
        return part;
      })(name);
      return {
        ...file,
        truncate: async (length: number) => {
          room = 55_555;
          await file.truncate(length);
        },
      };
    };
    const { chunks, state } = watched(PARTS);
    expect(await readAll(readAhead(chunks, { openFile }))).toBe(true);
    expect(state).toEqual({ begun: true, ended: true });
    expect(temporary()).toEqual(before);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'is not needed: on a device without space the source waits for the reader',
    async () => {
      const { chunks, state } = watched(PARTS);
      const reading = readAhead(chunks, { openFile: () => open('/dev/full', 'r+') });
      expect(await readAll(reading)).toBe(true);
      expect(state).toEqual({ begun: true, ended: true });
    },
  );

  test('is not needed: without space to create it the reply is complete', async () => {
    const before = temporary();
    const noSpace = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    expect(await readAll(readAhead(watched(PARTS).chunks, { openFile: noSpace }))).toBe(true);
    expect(temporary()).toEqual(before);
  });

  test('is not written below the floor of free space', async () => {
    let written = 0;
    const openFile = limited((length) => ((written += length), length));
    const hasSpace = (bytes: number) => Promise.resolve(written + bytes <= 30_000);
    expect(await readAll(readAhead(watched(PARTS).chunks, { openFile, hasSpace }))).toBe(true);
    expect(written).toBe(30_000);
  });

  test('holds at most one chunk that has no space, and ends the source when the reader leaves', async () => {
    const { chunks, state } = watched(PARTS);
    let generated = 0;
    async function* counted() {
      for await (const chunk of chunks) {
        generated += 1;
        yield chunk;
      }
    }
    for await (const part of readAhead(counted(), { hasSpace: () => Promise.resolve(false) })) {
      await wait(10);
      expect(part).toHaveLength(10_000);
      expect(generated).toBe(1);
      break;
    }
    expect(state.ended).toBe(true);
  });

  test('fails for another error of its disk', async () => {
    const broken = () => Promise.reject(Object.assign(new Error('input/output error'), { code: 'EIO' }));
    const { chunks, state } = watched(PARTS);
    await expect(readAhead(chunks, { openFile: broken }).next()).rejects.toThrow('input/output error');
    expect(state.begun).toBe(false);
  });
});
