import { unreadable } from '../unreadable.ts';
import { SavBytes } from './sav-bytes.ts';
import type { ByteFile } from '../byte-file.ts';

const RECORD = {
  variable: 2,
  valueLabels: 3,
  labelledVariables: 4,
  documents: 6,
  extension: 7,
  end: 999,
} as const;
const HEADER_BYTES = 176;
const DOCUMENT_LINE_BYTES = 80;
/** More than any survey; each costs memory. */
const MAX_VARIABLE_RECORDS = 100_000;
const MAX_VALUE_LABELS = 1_000_000;
const MAX_STRING_WIDTH = 255;

/** One variable record: a variable, or a segment of a very long string. Texts are still bytes. */
export interface VariableRecord {
  shortName: Buffer;
  /** Bytes of a string; 0: a number. */
  width: number;
  label: Buffer | null;
  format: number;
  missingCount: number;
  missing: Buffer[];
  /** Of its first element in a case, from 0. */
  element: number;
  labels: readonly (readonly [value: Buffer, label: Buffer])[];
}

export interface SavRecords {
  compression: 'none' | 'bytecode' | 'zlib';
  bias: number;
  weightIndex: number;
  caseCount: number;
  fileLabel: Buffer;
  variables: VariableRecord[];
  /** Elements of a case. */
  elements: number;
  extensions: Map<number, Buffer>;
  bytes: SavBytes;
}

/** The records of a system file up to its first case, as bytes. Refuses what cannot be one. */
export async function readRecords(file: ByteFile): Promise<SavRecords> {
  const bytes = new SavBytes(file);
  if (file.sizeBytes < HEADER_BYTES) throw unreadable('the .sav file ends in its header: it is not complete');
  const magic = (await bytes.take(4)).toString('latin1');
  if (magic !== '$FL2' && magic !== '$FL3') throw unreadable('is no SPSS system file (.sav)');
  await bytes.take(60);
  const layout = Buffer.from(await bytes.take(4));
  bytes.littleEndian = isLayout(layout.readInt32LE());
  if (!bytes.littleEndian && !isLayout(layout.readInt32BE()))
    throw unreadable('is no SPSS system file that we know: its layout code is neither 2 nor 3');
  await bytes.int(); // elements of a case: some writers leave it out, so they are counted
  const compression = (['none', 'bytecode', 'zlib'] as const)[await bytes.int()];
  if (compression === undefined) throw unreadable('the .sav file is compressed in a way that we do not know');
  const [weightIndex, caseCount] = [await bytes.int(), await bytes.int()];
  const bias = await bytes.double();
  await bytes.take(9 + 8);
  const fileLabel = Buffer.from(await bytes.take(64));
  await bytes.take(3);
  const reader = new RecordReader(bytes);
  await reader.readAll();
  const { variables, elements, extensions } = reader;
  if (variables.length === 0) throw unreadable('the .sav file has no variables');
  return { compression, bias, weightIndex, caseCount, fileLabel, variables, elements, extensions, bytes };
}

const isLayout = (code: number): boolean => code === 2 || code === 3;

class RecordReader {
  readonly variables: VariableRecord[] = [];
  readonly extensions = new Map<number, Buffer>();
  elements = 0;
  private readonly bytes: SavBytes;
  private readonly byElement = new Map<number, VariableRecord>();
  private labels: [Buffer, Buffer][] = [];
  private labelCount = 0;

  constructor(bytes: SavBytes) {
    this.bytes = bytes;
  }

  /** Every record takes bytes, so the loop ends with the file at the latest. */
  async readAll(): Promise<void> {
    const { bytes } = this;
    for (;;) {
      const type = await bytes.int();
      switch (type) {
        case RECORD.variable:
          await this.variable();
          break;
        case RECORD.valueLabels:
          await this.valueLabels();
          break;
        case RECORD.labelledVariables:
          await this.labelledVariables();
          break;
        case RECORD.documents:
          await bytes.take((await this.count('document lines')) * DOCUMENT_LINE_BYTES);
          break;
        case RECORD.extension:
          await this.extension();
          break;
        case RECORD.end:
          await bytes.int();
          return;
        default:
          throw unreadable(`the .sav file is damaged: unknown record ${type} at byte ${bytes.position - 4}`);
      }
    }
  }

  private async count(what: string): Promise<number> {
    const count = await this.bytes.int();
    if (count < 0) throw unreadable(`the .sav file is damaged: ${count} ${what}`);
    return count;
  }

  private async variable(): Promise<void> {
    const { bytes } = this;
    const fixed = await bytes.take(28);
    const [width, hasLabel, missingCount, format] = [0, 4, 8, 12].map((at) => bytes.intIn(fixed, at)) as [
      number,
      number,
      number,
      number,
    ];
    const shortName = Buffer.from(fixed.subarray(20));
    if (width < -1 || width > MAX_STRING_WIDTH || Math.abs(missingCount) > 3 || missingCount === -1)
      throw unreadable('the .sav file is damaged: a variable has an impossible width or missing values');
    let label: Buffer | null = null;
    if (hasLabel === 1) {
      const length = await this.count('bytes of a label');
      label = Buffer.from((await bytes.take(Math.ceil(length / 4) * 4)).subarray(0, length));
    }
    const missing: Buffer[] = [];
    for (let i = 0; i < Math.abs(missingCount); i += 1) missing.push(Buffer.from(await bytes.take(8)));
    this.elements += 1;
    if (width === -1) return;
    if (this.variables.length >= MAX_VARIABLE_RECORDS)
      throw unreadable(`the .sav file has more than ${MAX_VARIABLE_RECORDS} variables`);
    const element = this.elements - 1;
    const record = { shortName, width, label, format, missingCount, missing, element, labels: [] };
    this.variables.push(record);
    this.byElement.set(element, record);
  }

  private async valueLabels(): Promise<void> {
    const count = await this.count('value labels');
    this.labelCount += count;
    if (this.labelCount > MAX_VALUE_LABELS)
      throw unreadable(`the .sav file has more than ${MAX_VALUE_LABELS} value labels`);
    this.labels = [];
    for (let i = 0; i < count; i += 1) {
      const head = await this.bytes.take(9);
      const value = Buffer.from(head.subarray(0, 8));
      const length = head[8]!;
      const label = (await this.bytes.take(Math.ceil((length + 1) / 8) * 8 - 1)).subarray(0, length);
      this.labels.push([value, Buffer.from(label)]);
    }
  }

  private async labelledVariables(): Promise<void> {
    const count = await this.count('labelled variables');
    for (let i = 0; i < count; i += 1) {
      const index = await this.bytes.int();
      const record = this.byElement.get(index - 1);
      if (record === undefined) throw unreadable(`the .sav file is damaged: labels for element ${index}`);
      record.labels = this.labels;
    }
    this.labels = [];
  }

  private async extension(): Promise<void> {
    const subtype = await this.bytes.int();
    const [size, count] = [await this.count('bytes'), await this.count('units')];
    this.extensions.set(subtype, Buffer.from(await this.bytes.take(size * count)));
  }
}
