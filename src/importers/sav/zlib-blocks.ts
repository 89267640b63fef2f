import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { ByteFile } from '../byte-file.ts';
import { tooLarge } from '../../lib/errors.ts';
import { unreadableFile } from '../unreadable.ts';

const inflateAsync = promisify(inflate);
const HEADER_BYTES = 24;
const TRAILER_BYTES = 24;
const DESCRIPTOR_BYTES = 24;
/** Ten times what writers use for a block. */
const MAX_BLOCK_BYTES = 10 * 0x3ff000;
/** Maximum size of all blocks: 200,000 cases of 5,000 variables at one byte each. */
const MAX_UNPACKED_BYTES = 1_000_000_000;

const damaged = () => unreadableFile('the .sav file is damaged: its compressed blocks do not fit together');

/**
 * Reads the data of a ZSAV file block by block. Layout from `start`: a header (its own offset, the offset and the length of the trailer),
 * the blocks, and the trailer: bias, 0, block size, block count, and for each block its offsets and sizes, unpacked and packed.
 */
export async function* readZlibBlocks(
  file: ByteFile,
  start: number,
  isLittleEndian: boolean,
): AsyncGenerator<Buffer> {
  const long = (bytes: Buffer, at: number): number =>
    Number(isLittleEndian ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at));
  const int = (bytes: Buffer, at: number): number =>
    isLittleEndian ? bytes.readInt32LE(at) : bytes.readInt32BE(at);
  const read = async (offset: number, length: number): Promise<Buffer> => {
    if (!(offset >= 0 && length >= 0 && offset + length <= file.sizeBytes)) throw damaged();
    return file.read(offset, length);
  };

  const header = await read(start, HEADER_BYTES);
  const trailerOffset = long(header, 8);
  const trailer = await read(trailerOffset, TRAILER_BYTES);
  const count = int(trailer, 20);
  if (count < 0) throw damaged();
  const descriptors = await read(trailerOffset + TRAILER_BYTES, count * DESCRIPTOR_BYTES);
  let unpackedBytes = 0;
  let packedBytes = 0;
  for (let at = 0; at < descriptors.length; at += DESCRIPTOR_BYTES) {
    const size = int(descriptors, at + 16);
    const packedSize = int(descriptors, at + 20);
    if (size < 0 || size > MAX_BLOCK_BYTES) throw damaged();
    unpackedBytes += size;
    packedBytes += packedSize;
    // Several descriptors may name the same bytes.
    if (packedBytes > file.sizeBytes) throw damaged();
    if (unpackedBytes > MAX_UNPACKED_BYTES)
      throw tooLarge(
        `file: its compressed data hold more than ${MAX_UNPACKED_BYTES / 1_000_000} MB when unpacked`,
      );
    const packed = await read(long(descriptors, at + 8), packedSize);
    try {
      yield await inflateAsync(packed, { maxOutputLength: Math.max(1, size) });
    } catch {
      throw damaged();
    }
  }
}
