import { fitText, SPACE } from './sav-text.ts';
import { COMPRESSION_BIAS, encodeDictionary } from './sav-dictionary.ts';
import {
  createLayout,
  ELEMENT_BYTES,
  type Layout,
  SEGMENT_BYTES,
  type VariableLayout,
  type NumericVariable,
  type SavCell,
  type SavFile,
  type SavReport,
} from './sav-layout.ts';

/**
 * Streams an SPSS system file: UTF-8, little-endian, bytecode compression. `rows` yields chunks of rows, one cell per
 * variable, so that memory does not grow with the file. The report lists dictionary losses immediately and losses in rows
 * when the stream has ended.
 * Layout of the format: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html
 */
export function writeSav(
  file: SavFile,
  rows: AsyncIterable<Iterable<readonly SavCell[]>>,
  report: SavReport,
): AsyncGenerator<Buffer> {
  const layout = createLayout(file, report);
  return writeChunks({ dictionary: encodeDictionary(layout, report), layout, rows, report });
}

async function* writeChunks({
  dictionary,
  layout,
  rows,
  report,
}: {
  dictionary: Buffer;
  layout: Layout;
  rows: AsyncIterable<Iterable<readonly SavCell[]>>;
  report: SavReport;
}): AsyncGenerator<Buffer> {
  yield dictionary;
  const encoder = new CaseEncoder();
  const writer = new CaseWriter(layout, encoder, report);
  for await (const chunk of rows) {
    for (const row of chunk) writer.write(row);
    const bytes = encoder.takeFullBlocks();
    if (bytes.length > 0) yield bytes;
  }
  const rest = encoder.finish();
  if (rest.length > 0) yield rest;
}

/** SPSS counts seconds from the first day of the Gregorian calendar, 14 October 1582, 00:00. */
const GREGORIAN_TO_UNIX_SECONDS = 12_219_379_200;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?Z?)?$/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;

/** Seconds as SPSS stores a date or a datetime; null for any other text. A text without a zone is read as wall clock. */
export function parseDateSeconds(text: string): number | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts
    .slice(1, 6)
    .map((part) => Number(part ?? 0));
  const midnight = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  midnight.setUTCFullYear(year, month - 1, day);
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  const clock = secondsOfDay(hour, minute, Number(parts[6] ?? 0));
  return isDay && clock !== null ? midnight.getTime() / 1000 + GREGORIAN_TO_UNIX_SECONDS + clock : null;
}

/** Seconds since midnight, as SPSS stores a time; null for any other text. */
export function parseTimeSeconds(text: string): number | null {
  const parts = CLOCK.exec(text);
  return parts === null ? null : secondsOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0));
}

function secondsOfDay(hour: number, minute: number, second: number): number | null {
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : null;
}

/** Bytecode of an element: 1 to 251 encode a whole number plus the bias. */
const CODE = { ignored: 0, largest: 251, literal: 253, spaces: 254, systemMissing: 255 } as const;
const CODES_PER_BLOCK = 8;
const BLOCK_BYTES = CODES_PER_BLOCK + CODES_PER_BLOCK * ELEMENT_BYTES;

/**
 * Bytecode compression: blocks of eight codes, one per element, followed by the literal elements.
 * Blocks are written in place, so that cells cause no allocations.
 */
class CaseEncoder {
  private bytes = Buffer.alloc(64 * 1024);
  private blockStart = 0;
  private codes = 0;
  private end = CODES_PER_BLOCK;

  addNumber(value: number): void {
    const code = value + COMPRESSION_BIAS;
    // The code has no sign for zero.
    if (Number.isInteger(value) && code > CODE.ignored && code <= CODE.largest && !Object.is(value, -0)) {
      this.addCode(code);
    } else {
      this.addCode(CODE.literal);
      this.bytes.writeDoubleLE(value, this.end);
      this.end += ELEMENT_BYTES;
    }
    this.closeFullBlock();
  }

  addSystemMissing(): void {
    this.addCode(CODE.systemMissing);
    this.closeFullBlock();
  }

  /** Adds the element of a text that starts at `from`; bytes after `to` are spaces. */
  addCharacters(text: Buffer, from: number, to: number): void {
    const stop = Math.min(to, from + ELEMENT_BYTES);
    let at = from;
    while (at < stop && text[at] === SPACE) at += 1;
    if (at >= stop) this.addCode(CODE.spaces);
    else {
      this.addCode(CODE.literal);
      const { bytes, end } = this;
      // A loop is faster than calls of the runtime for so few bytes.
      for (let offset = 0; offset < ELEMENT_BYTES; offset += 1) {
        bytes[end + offset] = from + offset < stop ? (text[from + offset] ?? SPACE) : SPACE;
      }
      this.end += ELEMENT_BYTES;
    }
    this.closeFullBlock();
  }

  /** Returns the full blocks and keeps the incomplete one. */
  takeFullBlocks(): Buffer {
    const full = Buffer.from(this.bytes.subarray(0, this.blockStart));
    this.bytes.copy(this.bytes, 0, this.blockStart, this.end);
    this.end -= this.blockStart;
    this.blockStart = 0;
    return full;
  }

  /** Returns the incomplete block, padded with ignored codes. */
  finish(): Buffer {
    if (this.codes === 0) return Buffer.alloc(0);
    this.bytes.fill(CODE.ignored, this.blockStart + this.codes, this.blockStart + CODES_PER_BLOCK);
    return Buffer.from(this.bytes.subarray(this.blockStart, this.end));
  }

  private addCode(code: number): void {
    if (this.codes === 0 && this.end + BLOCK_BYTES > this.bytes.length) this.grow();
    this.bytes[this.blockStart + this.codes] = code;
    this.codes += 1;
  }

  private closeFullBlock(): void {
    if (this.codes < CODES_PER_BLOCK) return;
    this.codes = 0;
    this.blockStart = this.end;
    this.end += CODES_PER_BLOCK;
  }

  private grow(): void {
    const larger = Buffer.alloc(this.bytes.length * 2);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

const NO_TEXT = Buffer.alloc(0);

/** Writes rows. Cells are in the order of the file's variables. */
class CaseWriter {
  constructor(
    private readonly layout: Layout,
    private readonly encoder: CaseEncoder,
    private readonly report: SavReport,
  ) {}

  write(row: readonly SavCell[]): void {
    const { variables } = this.layout;
    let index = -1;
    for (const variableLayout of variables) {
      index += 1;
      const cell = row[index] ?? null;
      if (variableLayout.variable.type === 'string') this.writeText(variableLayout, cell);
      else this.writeNumber(variableLayout.variable, cell);
    }
  }

  private writeNumber(variable: NumericVariable, cell: SavCell): void {
    const value = cell === null || cell === '' ? null : toNumber(variable.type, cell);
    if (value !== null && Number.isFinite(value)) this.encoder.addNumber(value);
    else {
      if (cell !== null && cell !== '') this.report.add('cell_unreadable', variable.name);
      this.encoder.addSystemMissing();
    }
  }

  private writeText({ variable, widthBytes, segments }: VariableLayout, cell: SavCell): void {
    const reportTruncation = () => this.report.add('text_cut', variable.name);
    const text = cell === null ? NO_TEXT : fitText(String(cell), widthBytes, reportTruncation);
    let start = 0;
    for (const { widthBytes: width, elements } of segments) {
      const end = Math.min(text.length, start + width);
      for (let element = 0; element < elements; element += 1) {
        this.encoder.addCharacters(text, start + element * ELEMENT_BYTES, end);
      }
      start += SEGMENT_BYTES;
    }
  }
}

function toNumber(type: NumericVariable['type'], cell: string | number): number | null {
  // In a variable of dates, a number is a user-missing value.
  if (typeof cell === 'number') return cell;
  switch (type) {
    case 'number':
      return cell.trim() === '' ? null : Number(cell);
    case 'time':
      return parseTimeSeconds(cell);
    case 'month':
      return parseDateSeconds(`${cell}-01`);
    case 'date':
    case 'datetime':
      return parseDateSeconds(cell);
  }
}
