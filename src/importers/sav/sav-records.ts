import { type ByteFile, unreadableFile } from '../byte-file.ts';

const RECORD = {
  variable: 2,
  valueLabels: 3,
  labeledVariables: 4,
  documents: 6,
  extension: 7,
  end: 999,
} as const;
const HEADER_BYTES = 176;
export const DOCUMENT_LINE_BYTES = 80;
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
  /** Lines of 80 bytes. */
  documents: Buffer;
  /** Elements of a case. */
  elements: number;
  extensions: Map<number, Buffer>;
  bytes: SavReader;
}

/** The records of a system file up to its first case, as bytes. Refuses what cannot be one. */
export async function readRecords(file: ByteFile): Promise<SavRecords> {
  const bytes = new SavReader(file);
  if (file.sizeBytes < HEADER_BYTES)
    throw unreadableFile('the .sav file ends in its header: it is not complete');
  const magic = (await bytes.readBytes(4)).toString('latin1');
  if (magic !== '$FL2' && magic !== '$FL3') throw unreadableFile('is not an SPSS system file (.sav)');
  await bytes.readBytes(60);
  const layout = Buffer.from(await bytes.readBytes(4));
  bytes.isLittleEndian = isLayout(layout.readInt32LE());
  if (!bytes.isLittleEndian && !isLayout(layout.readInt32BE()))
    throw unreadableFile('is not a supported SPSS system file (.sav): its layout code must be 2 or 3');
  await bytes.readInt(); // elements of a case: some writers leave it out, so they are counted
  const compression = (['none', 'bytecode', 'zlib'] as const)[await bytes.readInt()];
  if (compression === undefined)
    throw unreadableFile('the .sav file is compressed in a way that we do not know');
  const [weightIndex, caseCount] = [await bytes.readInt(), await bytes.readInt()];
  const bias = await bytes.readDouble();
  await bytes.readBytes(9 + 8);
  const fileLabel = Buffer.from(await bytes.readBytes(64));
  await bytes.readBytes(3);
  const reader = new RecordReader(bytes);
  await reader.readAll();
  const { variables, documents, elements, extensions } = reader;
  if (variables.length === 0) throw unreadableFile('the .sav file must have at least 1 variable');
  const header = { compression, bias, weightIndex, caseCount, fileLabel };
  return { ...header, variables, documents, elements, extensions, bytes };
}

const isLayout = (code: number): boolean => code === 2 || code === 3;

class RecordReader {
  readonly variables: VariableRecord[] = [];
  documents: Buffer = Buffer.alloc(0);
  readonly extensions = new Map<number, Buffer>();
  elements = 0;
  private readonly byElement = new Map<number, VariableRecord>();
  private labels: [Buffer, Buffer][] = [];
  private labelCount = 0;

  constructor(private readonly bytes: SavReader) {}

  /** Every record takes bytes, so the loop ends with the file at the latest. */
  async readAll(): Promise<void> {
    const { bytes } = this;
    for (;;) {
      const type = await bytes.readInt();
      switch (type) {
        case RECORD.variable:
          await this.readVariable();
          break;
        case RECORD.valueLabels:
          await this.readValueLabels();
          break;
        case RECORD.labeledVariables:
          await this.readLabeledVariables();
          break;
        case RECORD.documents:
          this.documents = Buffer.from(
            await bytes.readBytes((await this.readCount('document lines')) * DOCUMENT_LINE_BYTES),
          );
          break;
        case RECORD.extension:
          await this.readExtension();
          break;
        case RECORD.end:
          await bytes.readInt();
          return;
        default:
          throw unreadableFile(
            `the .sav file is damaged: unknown record ${type} at byte ${bytes.position - 4}`,
          );
      }
    }
  }

  private async readCount(description: string): Promise<number> {
    const count = await this.bytes.readInt();
    if (count < 0) throw unreadableFile(`the .sav file is damaged: ${count} ${description}`);
    return count;
  }

  private async readVariable(): Promise<void> {
    const { bytes } = this;
    const fixed = await bytes.readBytes(28);
    const [width, hasLabel, missingCount, format] = [0, 4, 8, 12].map((at) => bytes.intIn(fixed, at)) as [
      number,
      number,
      number,
      number,
    ];
    const shortName = Buffer.from(fixed.subarray(20));
    if (width < -1 || width > MAX_STRING_WIDTH || Math.abs(missingCount) > 3 || missingCount === -1)
      throw unreadableFile('the .sav file is damaged: a variable has an impossible width or missing values');
    let label: Buffer | null = null;
    if (hasLabel === 1) {
      const length = await this.readCount('bytes of a label');
      label = Buffer.from((await bytes.readBytes(Math.ceil(length / 4) * 4)).subarray(0, length));
    }
    const missing: Buffer[] = [];
    for (let i = 0; i < Math.abs(missingCount); i += 1) missing.push(Buffer.from(await bytes.readBytes(8)));
    this.elements += 1;
    if (width === -1) return;
    if (this.variables.length >= MAX_VARIABLE_RECORDS)
      throw unreadableFile(`the .sav file has more than ${MAX_VARIABLE_RECORDS} variables`);
    const element = this.elements - 1;
    const record = { shortName, width, label, format, missingCount, missing, element, labels: [] };
    this.variables.push(record);
    this.byElement.set(element, record);
  }

  private async readValueLabels(): Promise<void> {
    const count = await this.readCount('value labels');
    this.labelCount += count;
    if (this.labelCount > MAX_VALUE_LABELS)
      throw unreadableFile(`the .sav file has more than ${MAX_VALUE_LABELS} value labels`);
    this.labels = [];
    for (let i = 0; i < count; i += 1) {
      const head = await this.bytes.readBytes(9);
      const value = Buffer.from(head.subarray(0, 8));
      const length = head.readUInt8(8);
      const label = (await this.bytes.readBytes(Math.ceil((length + 1) / 8) * 8 - 1)).subarray(0, length);
      this.labels.push([value, Buffer.from(label)]);
    }
  }

  private async readLabeledVariables(): Promise<void> {
    const count = await this.readCount('labeled variables');
    for (let i = 0; i < count; i += 1) {
      const index = await this.bytes.readInt();
      const record = this.byElement.get(index - 1);
      if (record === undefined) throw unreadableFile(`the .sav file is damaged: labels for element ${index}`);
      record.labels = this.labels;
    }
    this.labels = [];
  }

  private async readExtension(): Promise<void> {
    const subtype = await this.bytes.readInt();
    const [size, count] = [await this.readCount('bytes'), await this.readCount('units')];
    this.extensions.set(subtype, Buffer.from(await this.bytes.readBytes(size * count)));
  }
}

const WINDOW_BYTES = 64 * 1024;

const incompleteFile = () => unreadableFile('the .sav file ends in the middle: it is not complete');

/** Reads the dictionary of a system file from its beginning to the first case, in the byte order of the file. */
class SavReader {
  isLittleEndian = true;
  /** In the file, of the next byte. */
  position = 0;
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;

  constructor(private readonly file: ByteFile) {}

  async readBytes(lengthBytes: number): Promise<Buffer> {
    if (lengthBytes < 0 || this.position + lengthBytes > this.file.sizeBytes) throw incompleteFile();
    let from = this.position - this.windowStart;
    if (from + lengthBytes > this.window.length) {
      this.window = await this.file.read(this.position, Math.max(WINDOW_BYTES, lengthBytes));
      this.windowStart = this.position;
      from = 0;
      if (this.window.length < lengthBytes) throw incompleteFile();
    }
    this.position += lengthBytes;
    return this.window.subarray(from, from + lengthBytes);
  }

  async readInt(): Promise<number> {
    return this.intIn(await this.readBytes(4), 0);
  }

  async readDouble(): Promise<number> {
    return this.doubleIn(await this.readBytes(8), 0);
  }

  intIn(bytes: Buffer, at: number): number {
    return this.isLittleEndian ? bytes.readInt32LE(at) : bytes.readInt32BE(at);
  }

  doubleIn(bytes: Buffer, at: number): number {
    return this.isLittleEndian ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at);
  }
}

/** Reads the data of an extension record. */
export class RecordDataReader {
  private at = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly order: SavReader,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readBytes(lengthBytes: number): Buffer {
    if (lengthBytes < 0 || this.at + lengthBytes > this.bytes.length)
      throw unreadableFile('a record of the .sav file is shorter than it says');
    this.at += lengthBytes;
    return this.bytes.subarray(this.at - lengthBytes, this.at);
  }

  readInt(): number {
    return this.order.intIn(this.readBytes(4), 0);
  }
}
