import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { byteFileFromBuffer } from '../../../src/importers/byte-file.ts';
import { readZlibBlocks } from '../../../src/importers/sav/sav-source.ts';

const BLOCK_BYTES = 10 * 0x3ff000;

/** The data of a ZSAV file whose descriptors name these offsets of blocks, and this size of each block when unpacked. */
function zsavData(
  block: Buffer,
  offsets: readonly number[],
  { padding = 0, unpackedBytes = BLOCK_BYTES } = {},
): Buffer {
  const trailerOffset = 24 + block.length + padding;
  const header = Buffer.alloc(24);
  header.writeBigInt64LE(BigInt(trailerOffset), 8);
  const trailer = Buffer.alloc(24);
  trailer.writeInt32LE(offsets.length, 20);
  const descriptors = offsets.map((offset) => {
    const descriptor = Buffer.alloc(24);
    descriptor.writeBigInt64LE(BigInt(offset), 8);
    descriptor.writeInt32LE(unpackedBytes, 16);
    descriptor.writeInt32LE(block.length, 20);
    return descriptor;
  });
  return Buffer.concat([header, block, Buffer.alloc(padding), trailer, ...descriptors]);
}

async function unpackedBytes(data: Buffer): Promise<number> {
  let bytes = 0;
  for await (const block of readZlibBlocks(byteFileFromBuffer(data), 0, true)) bytes += block.length;
  return bytes;
}

const block = deflateSync(Buffer.alloc(BLOCK_BYTES));

test('reads blocks of the largest size', async () => {
  const data = zsavData(block, [24, 24], { padding: block.length });
  expect(await unpackedBytes(data)).toBe(2 * BLOCK_BYTES);
});

test('rejects repeated descriptors of the same bytes', async () => {
  await expect(unpackedBytes(zsavData(block, Array<number>(20).fill(24)))).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('do not fit together'),
  });
});

test('rejects a block that unpacks to more than its descriptor declares', async () => {
  const data = zsavData(block, [24], { unpackedBytes: BLOCK_BYTES - 1 });
  await expect(unpackedBytes(data)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('do not fit together'),
  });
});

test('rejects blocks that declare more than 1 GB unpacked', async () => {
  const small = deflateSync(Buffer.alloc(1_000));
  const data = zsavData(small, Array<number>(30).fill(24), { padding: 30 * small.length });
  await expect(unpackedBytes(data)).rejects.toMatchObject({
    kind: 'too_large',
    message: expect.stringContaining('more than 1000 MB'),
  });
});
