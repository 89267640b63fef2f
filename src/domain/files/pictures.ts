const SIGNATURE_BYTES = 8;
/** Bytes of length, name and checksum. */
const CHUNK_FRAME_BYTES = 12;

/** The chunks that determine the pixels: header, palette, transparency, data, end. */
const ESSENTIAL = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * Removes all chunks from a PNG that its pixels do not need. Other chunks, such as color profiles, can be compressed, so a small file with
 * few pixels could expand to gigabytes. PNG 3rd ed. 5.3. The result ends at a truncated chunk.
 */
export function keepEssentialChunks(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_FRAME_BYTES <= bytes.length) {
    const end = at + CHUNK_FRAME_BYTES + bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length) break;
    if (ESSENTIAL.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') break;
    at = end;
  }
  return Buffer.concat(kept);
}

export type PictureKind = 'png' | 'jpeg' | 'webp';

export interface PictureSize {
  /** In pixels. */
  width: number;
  height: number;
}

/**
 * Reads the size of an image from its headers, without decoding it, because a small malicious file can decode to gigabytes. If several
 * headers contain a size, returns the largest width and height; null if none does.
 * Formats: PNG 3rd ed. 11.2.1, ITU-T T.81 B.2.2, RFC 9649.
 */
export function readPictureSize(kind: PictureKind, bytes: Buffer): PictureSize | null {
  switch (kind) {
    case 'png':
      return pngSize(bytes);
    case 'jpeg':
      return largest(jpegSizes(bytes));
    case 'webp':
      return largest(webpSizes(bytes));
  }
}

function largest(sizes: Iterable<PictureSize>): PictureSize | null {
  let width = 0;
  let height = 0;
  for (const size of sizes) {
    width = Math.max(width, size.width);
    height = Math.max(height, size.height);
  }
  return width === 0 || height === 0 ? null : { width, height };
}

/** The header is always the first chunk. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return largest([{ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }]);
}

/** Frame headers (SOF) are the markers C0 to CF without these: Huffman tables, reserved, arithmetic conditioning. */
const NOT_FRAME_MARKERS = new Set([0xc4, 0xc8, 0xcc]);
const START_OF_SCAN = 0xda;

function* jpegSizes(bytes: Buffer): Generator<PictureSize> {
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    // Skips fill bytes and invalid bytes between segments.
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return;
    const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    if (hasNoLength) {
      at += 2;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NOT_FRAME_MARKERS.has(marker);
    if (isFrame && at + 9 <= bytes.length)
      yield { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

/** The canvas and each image on it have separate headers. */
function* webpSizes(bytes: Buffer): Generator<PictureSize> {
  let at = 12;
  while (at + 8 <= bytes.length) {
    const chunk = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (chunk === 'VP8X' && data.length >= 10)
      yield { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    if (chunk === 'VP8L' && data.length >= 5) {
      const bits = data.readUInt32LE(1);
      yield { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    if (chunk === 'VP8 ' && data.length >= 10)
      yield { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
    if (chunk === 'ANMF' && data.length >= 12)
      yield { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 };
    // Chunks are padded to an even length. The header of an animation frame is followed by chunks.
    at += 8 + (chunk === 'ANMF' ? 16 : length + (length % 2));
  }
}
