import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readAhead, type ReplyFile } from '../../../src/http/send-reply.ts';

const PARTS = 50;

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

const temporary = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith('canvass-reply-'));

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
    return { read: file.read.bind(file), close: file.close.bind(file), write } as ReplyFile;
  };
  const full = { code: 'storage_full', kind: 'unavailable' };

  test('is complete if each write takes only part of the bytes', async () => {
    const { chunks } = watched(PARTS);
    const parts: Buffer[] = [];
    for await (const part of readAhead(
      chunks,
      limited((length) => Math.min(length, 777)),
    ))
      parts.push(part);
    const expected = Buffer.concat(Array.from({ length: PARTS }, (_, part) => Buffer.alloc(10_000, part)));
    expect(Buffer.concat(parts).equals(expected)).toBe(true);
  });

  test('ends the reply with storage_full if the disk fills up midway', async () => {
    const before = temporary();
    let room = 55_555;
    const { chunks, state } = watched(PARTS);
    const reading = readAhead(
      chunks,
      limited((length) => {
        const part = Math.min(length, room, 7_000);
        room -= part;
        return part;
      }),
    );
    let bytes = 0;
    const all = (async () => {
      for await (const part of reading) bytes += part.length;
    })();
    await expect(all).rejects.toMatchObject(full);
    expect(bytes).toBe(50_000);
    expect(state).toEqual({ begun: true, ended: true });
    expect(temporary()).toEqual(before);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'ends the reply with storage_full on a device without space',
    async () => {
      const { chunks, state } = watched(PARTS);
      await expect(readAhead(chunks, () => open('/dev/full', 'r+')).next()).rejects.toMatchObject(full);
      expect(state).toEqual({ begun: true, ended: true });
    },
  );

  test('is opened before the first chunk is generated', async () => {
    const before = temporary();
    const { chunks, state } = watched(PARTS);
    const noSpace = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    await expect(readAhead(chunks, noSpace).next()).rejects.toMatchObject(full);
    expect(state).toEqual({ begun: false, ended: false });
    expect(temporary()).toEqual(before);
  });
});
