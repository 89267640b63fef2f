import type { ByteFile } from './byte-file.ts';

/** First bytes of compound files (MS-CFB), which hold old Office documents and encrypted new ones. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const SECTOR_SHIFT_OFFSET = 30;
const DIRECTORY_SECTOR_OFFSET = 48;
const HEADER_BYTES = 76;
const MAX_SECTOR_SHIFT = 12;
/** Sectors of the directory that are searched for names; each has 4 or 32 of them. */
const DIRECTORY_BYTES = 8_192;

/** The names of streams, and what a file with one is. */
const KINDS: readonly [stream: string, kind: string][] = [
  ['EncryptedPackage', 'is protected by a password; save it without one'],
  ['Workbook', 'is an old Excel workbook (.xls); save it as .xlsx or .csv'],
  ['Book', 'is an old Excel workbook (.xls); save it as .xlsx or .csv'],
  ['WordDocument', 'is a Word document, not a data file'],
  ['PowerPoint Document', 'is a presentation, not a data file'],
];
const UNKNOWN = 'is an old Office document such as .xls, not a data file; save it as .xlsx or .csv';

/** Returns what a compound file is and what to do; null for other files. */
export async function describeCompoundFile(file: ByteFile): Promise<string | null> {
  const header = await file.read(0, HEADER_BYTES);
  if (!header.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) return null;
  if (header.length < HEADER_BYTES) return UNKNOWN;
  const shift = header.readUInt16LE(SECTOR_SHIFT_OFFSET);
  if (shift > MAX_SECTOR_SHIFT) return UNKNOWN;
  const start = (header.readUInt32LE(DIRECTORY_SECTOR_OFFSET) + 1) * 2 ** shift;
  const directory = await file.read(start, DIRECTORY_BYTES);
  // Names are UTF-16, with a NUL at their ends.
  const found = KINDS.find(([stream]) => directory.includes(Buffer.from(`${stream}\0`, 'utf16le')));
  return found?.[1] ?? UNKNOWN;
}
