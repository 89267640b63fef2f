import { createInflateRaw } from 'node:zlib';
import { type ByteFile, piecesOf } from '../byte-file.ts';
import { unreadable } from '../unreadable.ts';

/** Local header of an entry: signature, version, flags, method, time, date, CRC, sizes packed and unpacked, length of name and extra. */
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 } as const;
const METHOD = { stored: 0, deflated: 8 } as const;
const SIZES_FOLLOW = 8;
const ENCRYPTED = 1;
const SIZE_IS_ELSEWHERE = 0xffffffff;
const ZIP64_EXTRA = 1;
const MAX_ENTRIES = 5_000;

const damaged = () => unreadable('is a damaged or cut-off .xlsx file');

/**
 * Unpacks a zip file once, keeping nothing, so that nobody who reads it after is surprised: refuses more than `maxBytes` unpacked.
 * It walks from entry to entry as a reader of a stream does. Gives the names of the entries.
 */
export async function checkUnpackedSize(file: ByteFile, maxBytes: number): Promise<Set<string>> {
  const names = new Set<string>();
  let left = maxBytes;
  let position = 0;
  for (;;) {
    const header = await file.read(position, LOCAL_HEADER.bytes);
    if (header.length < LOCAL_HEADER.bytes || header.readUInt32LE(0) !== LOCAL_HEADER.signature) break;
    if (names.size >= MAX_ENTRIES) throw unreadable(`holds more than ${MAX_ENTRIES} files`);
    const [flags, method] = [header.readUInt16LE(6), header.readUInt16LE(8)];
    if ((flags & ENCRYPTED) !== 0) throw unreadable('is protected by a password; save it without one');
    const nameBytes = header.readUInt16LE(26);
    const extraBytes = header.readUInt16LE(28);
    const start = position + LOCAL_HEADER.bytes + nameBytes + extraBytes;
    const naming = await file.read(position + LOCAL_HEADER.bytes, nameBytes + extraBytes);
    names.add(naming.subarray(0, nameBytes).toString('utf8'));
    const streamed = (flags & SIZES_FOLLOW) !== 0;
    if (method === METHOD.stored) {
      if (streamed) throw damaged();
      const size = packedSize(header, naming.subarray(nameBytes));
      left -= size;
      position = start + size;
    } else if (method === METHOD.deflated) {
      const end = streamed ? file.sizeBytes : start + packedSize(header, naming.subarray(nameBytes));
      const { unpacked, packed } = await inflatedSize(file, start, end, left);
      left -= unpacked;
      position = streamed ? await behindDescriptor(file, start + packed) : end;
    } else throw damaged();
    if (left < 0) throw tooMuch(maxBytes);
  }
  if (names.size === 0) throw damaged();
  return names;
}

const tooMuch = (maxBytes: number) =>
  unreadable(`holds more than ${Math.round(maxBytes / 1_000_000)} MB when it is unpacked`);

function packedSize(header: Buffer, extra: Buffer): number {
  const size = header.readUInt32LE(18);
  if (size !== SIZE_IS_ELSEWHERE) return size;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === ZIP64_EXTRA && at + 20 <= extra.length)
      return Number(extra.readBigUInt64LE(at + 12));
  }
  throw damaged();
}

async function inflatedSize(
  file: ByteFile,
  start: number,
  end: number,
  maxBytes: number,
): Promise<{ unpacked: number; packed: number }> {
  const inflate = createInflateRaw();
  let unpacked = 0;
  const done = new Promise<void>((resolve, reject) => {
    inflate.on('data', (chunk: Buffer) => {
      unpacked += chunk.length;
      if (unpacked > maxBytes) inflate.destroy(tooMuch(maxBytes));
    });
    inflate.on('end', resolve);
    inflate.on('close', resolve);
    inflate.on('error', reject);
  });
  done.catch(() => undefined);
  try {
    for await (const piece of piecesOf(file, start, Math.min(end, file.sizeBytes))) {
      if (inflate.destroyed || inflate.readableEnded) break;
      if (!inflate.write(piece))
        await Promise.race([done, new Promise((resolve) => inflate.once('drain', resolve))]);
    }
    if (!inflate.destroyed) inflate.end();
    await done;
  } catch (error) {
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
      ? damaged()
      : error;
  }
  return { unpacked, packed: inflate.bytesWritten };
}

/** Behind an entry whose sizes follow it: a signature (often), CRC, sizes of 4 or 8 bytes; the next entry shows how many. */
async function behindDescriptor(file: ByteFile, position: number): Promise<number> {
  const bytes = await file.read(position, 32);
  for (const length of [12, 16, 20, 24]) {
    if (length + 4 > bytes.length) break;
    const next = bytes.readUInt32LE(length);
    if (next === LOCAL_HEADER.signature || next === 0x02014b50) return position + length;
  }
  throw damaged();
}
