import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SourceCell, SourceFile, SourceRow } from '../../domain/import/source-file.ts';
import { type ByteFile, readChunks } from '../byte-file.ts';
import {
  BytecodeCaseDecoder,
  type CaseDecoder,
  ELEMENT_BYTES,
  UncompressedCaseDecoder,
} from './case-decoder.ts';
import { unreadableFile } from '../unreadable.ts';
import { type ColumnLayout, readDictionary } from './sav-dictionary.ts';
import { formatDateTime } from './sav-format.ts';
import { readRecords, type SavRecords } from './sav-records.ts';
import { readZlibBlocks } from './zlib-blocks.ts';

const SYSTEM_MISSING = -Number.MAX_VALUE;
const SPACE = 0x20;

/**
 * An SPSS system file: little- and big-endian, plain, bytecode and ZSAV; 400 where it is none, damaged or cut off. Rows hold numbers
 * and texts as they are stored, user-missing values included; moments become texts, system-missing and blank strings null.
 * Layout of the format: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html
 */
export async function openSav(file: ByteFile): Promise<SourceFile & { fileLabel: string }> {
  const records = await readRecords(file);
  const dictionary = readDictionary(records);
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
    compression === 'zlib' ? readZlibBlocks(file, start, bytes.isLittleEndian) : readChunks(file, start);
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
  const start = segments[0]!.element * ELEMENT_BYTES;
  if (width === 0) {
    const { kind } = variable;
    return (caseBytes) => {
      const value = bytes.doubleIn(caseBytes, start);
      if (value === SYSTEM_MISSING || !Number.isFinite(value)) return null;
      return kind === 'number' ? value : formatDateTime(kind, value);
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
