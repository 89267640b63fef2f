import { readdirSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readAhead } from '../../../src/http/read-ahead.ts';

const PARTS = 50;

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

const temporary = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith('canvass-reply-'));

describe('what is read ahead', () => {
  test('comes whole and in order, texts and bytes alike', async () => {
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

  test('is made to its end while the reader is still at the beginning', async () => {
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

  test('fails where the making fails, after what was made', async () => {
    async function* chunks() {
      yield 'a beginning';
      await Promise.resolve();
      throw new Error('no more');
    }
    const reading = readAhead(chunks());
    expect(String((await reading.next()).value)).toBe('a beginning');
    await expect(reading.next()).rejects.toThrow('no more');
  });

  test('is made no further when the reader leaves, and nothing of it stays', async () => {
    const before = temporary();
    let made = 0;
    let wasEnded = false;
    async function* chunks() {
      try {
        for (;;) {
          await wait(1);
          made += 1;
          yield 'more';
        }
      } finally {
        wasEnded = true;
      }
    }
    for await (const chunk of readAhead(chunks())) if (chunk.length > 0) break;
    const then = made;
    await wait(20);
    expect(made).toBe(then);
    expect(wasEnded).toBe(true);
    expect(temporary()).toEqual(before);
  });
});
