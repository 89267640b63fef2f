const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

/** Reads the files of an uncompressed archive by path. */
export function readStoredZip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = findEndRecord(zip);
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY || zip.readUInt16LE(at + 10) !== 0)
      throw new Error('not a stored entry');
    const bytes = zip.readUInt32LE(at + 20);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((index) => zip.readUInt16LE(at + index));
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes!);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (!name.endsWith('/')) files.set(name, zip.subarray(start, start + bytes));
    at += 46 + nameBytes! + extraBytes! + commentBytes!;
  }
  return files;
}

function findEndRecord(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at -= 1) if (zip.readUInt32LE(at) === END) return at;
  throw new Error('not an archive');
}
