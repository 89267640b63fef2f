import { requireItem } from '../../lib/require-value.ts';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unreadableFile, type ByteFile, readChunks } from '../byte-file.ts';
import { tooLarge } from '../../lib/errors.ts';
import {
  createMissingCheck,
  type SourceCell,
  type SourceFile,
  type SourceRow,
} from '../../domain/import/source-file.ts';
import { type ColumnLayout, readDictionary } from './sav-dictionary.ts';
import type { SavEncoding } from './sav-encoding.ts';
import { formatDateTime } from './sav-formats.ts';
import { readRecords, type SavRecords } from './sav-records.ts';

const SPACE = 0x20;

/**
 * Opens an SPSS system file: little- or big-endian; uncompressed, bytecode or ZSAV. Throws 400 if the file is invalid or incomplete. Rows
 * contain numbers and texts as stored, with user-missing values; dates and times become texts, except user-missing ones and those that no calendar
 * and no clock shows; system-missing and blank strings become null. `encoding` overrides what the file says of its texts; null: it does not.
 * Layout of the format: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html
 */
export async function openSav(
  file: ByteFile,
  encoding: SavEncoding | null = null,
): Promise<SourceFile & { fileLabel: string }> {
  const records = await readRecords(file);
  const dictionary = readDictionary(records, encoding);
  const dataStart = records.bytes.position;
  const readers = dictionary.columns.map((column) => cellReader(column, records, dictionary.decode));
  return {
    format: 'sav',
    fileLabel: dictionary.fileLabel,
    delimiter: null,
    columns: dictionary.columns.map(({ column }) => column),
    layout: null,
    rowWidth: null,
    sets: dictionary.sets,
    weight: dictionary.weight,
    timeZone: dictionary.timeZone,
    notes: dictionary.notes,
    async *rows() {
      let row = 0;
      for await (const cases of readCases(file, records, dataStart)) {
        yield cases.map((caseBytes): SourceRow => {
          row += 1;
          return { row, cells: readers.map((read) => read(caseBytes)) };
        });
      }
      if (row < records.caseCount) throw missingCases(row, records.caseCount);
    },
  };
}

const missingCases = (readCount: number, expectedCount: number) =>
  unreadableFile(`the .sav file is not complete: it has ${readCount} cases of ${expectedCount}`);

async function* readCases(file: ByteFile, records: SavRecords, start: number): AsyncGenerator<Buffer[]> {
  const { compression, elements, bias, bytes } = records;
  const decoder: CaseDecoder =
    compression === 'none'
      ? new UncompressedCaseDecoder(elements)
      : new BytecodeCaseDecoder(elements, bias, bytes.isLittleEndian);
  const chunks =
    compression === 'zlib' ? readZlibBlocks(file, start, bytes.isLittleEndian) : readChunks(file, { start });
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const cases = decoder.add(chunk.subarray(at, at + SLICE_BYTES));
      if (cases.length > 0) yield cases;
      // A block may contain megabytes without completing a case.
      else await nextTurn();
    }
  }
  decoder.end();
}

/** Decoded without yielding to the event loop. */
const SLICE_BYTES = 64 * 1024;

function cellReader(
  { column: { variable }, width, segments }: ColumnLayout,
  { bytes }: SavRecords,
  decode: (bytes: Buffer) => string,
): (caseBytes: Buffer) => SourceCell {
  const start = requireItem(segments, 0).element * ELEMENT_BYTES;
  if (width === 0) {
    const { kind } = variable;
    const isMissing = createMissingCheck(variable);
    return (caseBytes) => {
      const value = bytes.doubleIn(caseBytes, start);
      if (value === SYSTEM_MISSING || !Number.isFinite(value)) return null;
      return kind === 'number' || isMissing(value) ? value : formatDateTime(kind, value);
    };
  }
  if (segments.length === 1)
    return (caseBytes) => decodeText(caseBytes.subarray(start, start + width), decode);
  return (caseBytes) => {
    const parts = segments.map((segment) => {
      const from = segment.element * ELEMENT_BYTES;
      return caseBytes.subarray(from, from + segment.width);
    });
    return decodeText(Buffer.concat(parts).subarray(0, width), decode);
  };
}

function decodeText(bytes: Buffer, decode: (bytes: Buffer) => string): string | null {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === SPACE || bytes[end - 1] === 0)) end -= 1;
  return end === 0 ? null : decode(bytes.subarray(0, end));
}

const ELEMENT_BYTES = 8;
const SPACES = Buffer.alloc(ELEMENT_BYTES, ' ');
const SYSTEM_MISSING = -Number.MAX_VALUE;
const CODES_PER_BLOCK = 8;
const CODE = { ignored: 0, largest: 251, end: 252, literal: 253, spaces: 254, systemMissing: 255 } as const;

/** Decodes chunks of bytes to complete cases; a case is the concatenation of its elements. */
interface CaseDecoder {
  /** The cases that are complete with these bytes. */
  add(bytes: Buffer): Buffer[];
  /** Throws if the last case is incomplete. */
  end(): void;
}

const incompleteCase = () => unreadableFile('the .sav file ends in the middle of a case: it is not complete');

/** Decodes uncompressed cases. */
class UncompressedCaseDecoder implements CaseDecoder {
  private readonly caseBytes: number;
  private remainder: Buffer = Buffer.alloc(0);

  constructor(elements: number) {
    this.caseBytes = elements * ELEMENT_BYTES;
  }

  add(bytes: Buffer): Buffer[] {
    const all = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const cases: Buffer[] = [];
    let at = 0;
    for (; at + this.caseBytes <= all.length; at += this.caseBytes)
      cases.push(all.subarray(at, at + this.caseBytes));
    this.remainder = Buffer.from(all.subarray(at));
    return cases;
  }

  end(): void {
    if (this.remainder.length > 0) throw incompleteCase();
  }
}

/** Decodes bytecode compression: blocks of eight codes, one per element, followed by the literal elements. */
class BytecodeCaseDecoder implements CaseDecoder {
  private readonly caseBytes: number;
  private current: Buffer;
  private filled = 0;
  private remainder: Buffer = Buffer.alloc(0);
  private hasEnded = false;

  constructor(
    elements: number,
    private readonly bias: number,
    private readonly isLittleEndian: boolean,
  ) {
    this.caseBytes = elements * ELEMENT_BYTES;
    this.current = Buffer.alloc(this.caseBytes);
  }

  add(bytes: Buffer): Buffer[] {
    const all = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const cases: Buffer[] = [];
    let at = 0;
    while (!this.hasEnded) {
      const next = at + blockBytes(all, at);
      if (next > all.length) break;
      this.decodeBlock(all, at, cases);
      at = next;
    }
    this.remainder = this.hasEnded ? Buffer.alloc(0) : Buffer.from(all.subarray(at));
    return cases;
  }

  end(): void {
    if (this.hasEnded) return;
    // Some writers omit the unused codes of the last block.
    if (this.remainder.length > 0 || this.filled > 0) throw incompleteCase();
  }

  private decodeBlock(all: Buffer, start: number, cases: Buffer[]): void {
    let literal = start + CODES_PER_BLOCK;
    for (let i = start; i < start + CODES_PER_BLOCK; i += 1) {
      const code = all[i];
      if (code === undefined) throw incompleteCase();
      if (code === CODE.ignored) continue;
      if (code === CODE.end) {
        this.hasEnded = true;
        if (this.filled > 0) throw incompleteCase();
        return;
      }
      if (code === CODE.literal) {
        all.copy(this.current, this.filled, literal, literal + ELEMENT_BYTES);
        literal += ELEMENT_BYTES;
      } else if (code === CODE.spaces) SPACES.copy(this.current, this.filled);
      else this.addNumber(code === CODE.systemMissing ? SYSTEM_MISSING : code - this.bias);
      this.filled += ELEMENT_BYTES;
      if (this.filled < this.caseBytes) continue;
      cases.push(this.current);
      this.current = Buffer.allocUnsafe(this.caseBytes);
      this.filled = 0;
    }
  }

  private addNumber(value: number): void {
    if (this.isLittleEndian) this.current.writeDoubleLE(value, this.filled);
    else this.current.writeDoubleBE(value, this.filled);
  }
}

/** Size of the block at `at` with its literals; exceeds the buffer if the block is incomplete. */
function blockBytes(all: Buffer, at: number): number {
  if (at + CODES_PER_BLOCK > all.length) return Infinity;
  let literals = 0;
  for (let i = at; i < at + CODES_PER_BLOCK; i += 1) {
    if (all[i] === CODE.literal) literals += 1;
    else if (all[i] === CODE.end) break;
  }
  return CODES_PER_BLOCK + literals * ELEMENT_BYTES;
}

const inflateAsync = promisify(inflate);
const HEADER_BYTES = 24;
const TRAILER_BYTES = 24;
const DESCRIPTOR_BYTES = 24;
/** What writers use for a block. */
const USUAL_BLOCK_BYTES = 0x3ff000;
const MAX_BLOCK_BYTES = 10 * USUAL_BLOCK_BYTES;
/** The smallest buffer that zlib accepts. */
const MIN_CHUNK_BYTES = 64;
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
      yield await inflateAsync(packed, {
        maxOutputLength: Math.max(1, size),
        // A usual block in one step; by default in steps of 16 KB, each a task of another thread.
        chunkSize: Math.max(MIN_CHUNK_BYTES, Math.min(USUAL_BLOCK_BYTES, size)),
      });
    } catch {
      throw damaged();
    }
  }
}
