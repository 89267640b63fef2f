const SIGNATURE_BYTES = 8;
/** Length, name and checksum. */
const CHUNK_FRAME_BYTES = 12;

/** What the pixels are made from: header, palette, transparency, data, end. */
const ESSENTIAL = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * A PNG without everything that its pixels do not need. What is beside them may be packed (a colour profile is), so a small file can unpack
 * into gigabytes however few pixels it says it has. PNG 3rd ed. 5.3. A chunk that is cut off ends the result.
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
