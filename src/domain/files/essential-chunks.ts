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
