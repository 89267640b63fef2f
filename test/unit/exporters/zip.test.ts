import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ZipEntry, writeZip } from '../../../src/exporters/zip.ts';

interface Watch {
  opened: number;
  closed: number;
}

/** Endless entries, each of 10 MB. */
async function* endless(watch: Watch, failAfter = Infinity): AsyncGenerator<ZipEntry> {
  for (let index = 0; ; index += 1) {
    if (index === failAfter) throw new Error('The database is away');
    yield await Promise.resolve({
      name: `${index}.bin`,
      chunks: chunks(watch),
      sizeBytes: 160 * 65_536,
      modifiedAt: new Date(0),
      compress: false,
    });
  }
}

async function* chunks(watch: Watch): AsyncGenerator<Buffer> {
  watch.opened += 1;
  try {
    for (let index = 0; index < 160; index += 1) yield await Promise.resolve(Buffer.alloc(65_536));
  } finally {
    watch.closed += 1;
  }
}

describe('a zip archive', () => {
  it('is generated as it is consumed, with one open file at a time', async () => {
    const watch = { opened: 0, closed: 0 };
    let read = 0;
    for await (const chunk of writeZip(endless(watch))) {
      read += chunk.length;
      expect(watch.opened - watch.closed).toBeLessThanOrEqual(1);
      if (read > 35 * 1024 * 1024) break;
    }
    expect(watch.opened).toBeLessThanOrEqual(5);
    expect(watch.closed).toBe(watch.opened);
  });

  it('waits for a slow reader', async () => {
    const watch = { opened: 0, closed: 0 };
    const reader = writeZip(endless(watch));
    await reader.next();
    await sleep(200);
    expect(watch.opened).toBe(1);
    await reader.return(undefined);
    expect(watch.closed).toBe(1);
  });

  it('is aborted if one of its files fails', async () => {
    const watch = { opened: 0, closed: 0 };
    const read = async () => {
      let size = 0;
      for await (const chunk of writeZip(endless(watch, 2))) size += chunk.length;
      return size;
    };
    await expect(read()).rejects.toThrow('The database is away');
  });
});
