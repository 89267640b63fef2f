import { requireItem } from '../../lib/require-value.ts';
import { TextDecoder } from 'node:util';
import type {
  SourceColumn,
  SourceFormat,
  SourceSet,
  SourceVariable,
} from '../../domain/import/source-file.ts';
import { unreadableFile } from '../byte-file.ts';
import { RecordDataReader, type SavRecords, type VariableRecord } from './sav-records.ts';

const SUBTYPE = {
  machineIntegers: 3,
  responseSets: 7,
  display: 11,
  longNames: 13,
  veryLongStrings: 14,
  responseSets19: 19,
  encoding: 20,
  longStringLabels: 21,
  longStringMissing: 22,
} as const;
const MAX_STRING_BYTES = 32_767;
/** The bytes per segment that determine the number of segments of a very long string, although all but the last hold 255 bytes. */
const SEGMENT_SHARE_BYTES = 252;
const MEASURES = [null, 'nominal', 'ordinal', 'scale'] as const;

/** Where a variable's bytes are in a case. */
export interface ColumnLayout {
  column: SourceColumn & { variable: SourceVariable };
  /** Bytes; 0: a number. */
  width: number;
  /** First element and bytes of each segment. */
  segments: { element: number; width: number }[];
}

export interface SavDictionary {
  fileLabel: string;
  columns: ColumnLayout[];
  sets: SourceSet[];
  weight: string | null;
  notes: string[];
  decode: (bytes: Buffer) => string;
}

/** Interprets the records: decodes texts and combines long names, long strings, labels, missing values and sets. */
export function readDictionary(records: SavRecords): SavDictionary {
  const { extensions, bytes } = records;
  const machine = extensions.get(SUBTYPE.machineIntegers);
  const codePage = machine !== undefined && machine.length >= 32 ? bytes.intIn(machine, 28) : null;
  const text = createSavDecoder(extensions.get(SUBTYPE.encoding)?.toString('latin1') ?? null, codePage);
  const builder = new DictionaryBuilder(records, text.decode);
  const columns = builder.buildColumns();
  const sets = [SUBTYPE.responseSets, SUBTYPE.responseSets19].flatMap((subtype) =>
    readSets(extensions.get(subtype) ?? Buffer.alloc(0), text.decode, builder.nameOf),
  );
  const weight = columns.find(({ segments }) => segments[0]?.element === records.weightIndex - 1);
  return {
    fileLabel: text.decode(records.fileLabel).trimEnd(),
    columns,
    sets: [...new Map(sets.map((set) => [set.name.toLowerCase(), set])).values()],
    weight: records.weightIndex > 0 && weight?.width === 0 ? weight.column.header : null,
    notes: text.note === null ? [] : [text.note],
    decode: text.decode,
  };
}

type Labels = SourceVariable['valueLabels'];

class DictionaryBuilder {
  private readonly longNames: ReadonlyMap<string, string>;
  private readonly names = new Map<string, string>();
  private readonly decoded = new Map<unknown, { numbers?: Labels; strings?: Labels }>();

  constructor(
    private readonly records: SavRecords,
    private readonly decode: (bytes: Buffer) => string,
  ) {
    this.longNames = this.readPairs(SUBTYPE.longNames);
  }

  readonly nameOf = (shortName: string): string | undefined => this.names.get(shortName.toLowerCase());

  buildColumns(): ColumnLayout[] {
    const { variables } = this.records;
    const widths = this.readPairs(SUBTYPE.veryLongStrings);
    const longLabels = this.readLongLabels();
    const longMissing = this.readLongMissing();
    const measures = this.readMeasures();
    const columns: ColumnLayout[] = [];
    for (let i = 0; i < variables.length;) {
      const record = requireItem(variables, i);
      const shortName = this.decode(record.shortName).trimEnd();
      const width = this.widthOf(record, widths.get(shortName.toUpperCase()));
      const count = width > 255 ? Math.ceil(width / SEGMENT_SHARE_BYTES) : 1;
      const parts = variables.slice(i, i + count);
      if (parts.length < count || (count > 1 && parts.some((part) => part.width === 0)))
        throw unreadableFile(`the .sav file is damaged: the long string ${shortName} lacks segments`);
      const name = this.longNames.get(shortName.toUpperCase()) ?? shortName;
      this.names.set(shortName.toLowerCase(), name);
      const variable = this.buildVariable(record, width, measures[i] ?? null);
      const labels = longLabels.get(name.toLowerCase());
      const missing = longMissing.get(name.toLowerCase());
      columns.push({
        column: {
          header: name,
          label: record.label === null ? null : this.decode(record.label),
          variable: {
            ...variable,
            ...(labels === undefined ? {} : { valueLabels: labels }),
            ...(missing === undefined ? {} : { missing }),
          },
        },
        width,
        segments: parts.map((part) => ({ element: part.element, width: part.width })),
      });
      i += count;
    }
    return columns;
  }

  private widthOf(record: VariableRecord, long: string | undefined): number {
    const width = Number(long);
    const isLong = record.width > 0 && Number.isInteger(width) && width > 255 && width <= MAX_STRING_BYTES;
    return isLong ? width : record.width;
  }

  private buildVariable(
    record: VariableRecord,
    width: number,
    measure: SourceVariable['measure'],
  ): SourceVariable {
    const format = unpackFormat(record.format);
    const isRange = record.missingCount < 0;
    const values = record.missing.map((bytes) => this.decodeValue(bytes, width));
    const [low, high] = values;
    return {
      kind: width > 0 ? 'string' : variableKind(format),
      format,
      measure,
      valueLabels: this.labelsOf(record.labels, width),
      missing: isRange ? values.slice(2) : values,
      missingRange: isRange && typeof low === 'number' && typeof high === 'number' ? { low, high } : null,
    };
  }

  /** Many variables may share one list of labels; it is read once. */
  private labelsOf(labels: VariableRecord['labels'], width: number): Labels {
    if (labels.length === 0) return [];
    const decoded = this.decoded.get(labels) ?? {};
    this.decoded.set(labels, decoded);
    const kind = width === 0 ? 'numbers' : 'strings';
    decoded[kind] ??= labels.map(
      ([value, label]) => [this.decodeValue(value, width), this.decode(label).trimEnd()] as const,
    );
    return decoded[kind];
  }

  private decodeValue(bytes: Buffer, width: number): number | string {
    return width === 0
      ? this.records.bytes.doubleIn(bytes, 0)
      : this.decode(bytes.subarray(0, width)).trimEnd();
  }

  /** `KEY=value`, separated by tabs. */
  private readPairs(subtype: number): Map<string, string> {
    const data = this.records.extensions.get(subtype);
    if (data === undefined) return new Map();
    const pairs = this.decode(data).replaceAll('\0', '').split('\t');
    return new Map(
      pairs.flatMap((pair): [string, string][] => {
        const equals = pair.indexOf('=');
        return equals < 1 ? [] : [[pair.slice(0, equals).toUpperCase(), pair.slice(equals + 1)]];
      }),
    );
  }

  /** Of each variable record: three numbers (with the column's width) or two. */
  private readMeasures(): SourceVariable['measure'][] {
    const data = this.records.extensions.get(SUBTYPE.display);
    const { length } = this.records.variables;
    if (data === undefined || length === 0) return [];
    const perVariable = Math.floor(data.length / 4 / length);
    if (perVariable !== 2 && perVariable !== 3) return [];
    return Array.from({ length }, (_, i) => {
      return MEASURES[this.records.bytes.intIn(data, 4 * perVariable * i)] ?? null;
    });
  }

  private readLongLabels(): Map<string, Labels> {
    const record = this.recordOf(SUBTYPE.longStringLabels);
    const byVariable = new Map<string, Labels>();
    while (!record.isAtEnd) {
      const name = this.decode(record.readBytes(record.readInt()));
      record.readInt();
      const labels: [string, string][] = [];
      for (let left = record.readInt(); left > 0; left -= 1) {
        const value = this.decode(record.readBytes(record.readInt())).trimEnd();
        labels.push([value, this.decode(record.readBytes(record.readInt()))]);
      }
      byVariable.set(name.toLowerCase(), labels);
    }
    return byVariable;
  }

  private readLongMissing(): Map<string, string[]> {
    const record = this.recordOf(SUBTYPE.longStringMissing);
    const byVariable = new Map<string, string[]>();
    while (!record.isAtEnd) {
      const name = this.decode(record.readBytes(record.readInt()));
      const count = record.readBytes(1).readUInt8(0);
      const bytes = record.readInt();
      const values: string[] = [];
      for (let i = 0; i < count; i += 1) values.push(this.decode(record.readBytes(bytes)).trimEnd());
      byVariable.set(name.toLowerCase(), values);
    }
    return byVariable;
  }

  private recordOf(subtype: number): RecordDataReader {
    return new RecordDataReader(this.records.extensions.get(subtype) ?? Buffer.alloc(0), this.records.bytes);
  }
}

/** Code pages of Windows by their number in the machine record. */
const CODE_PAGES = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [20_866, 'koi8-r'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);

interface SavDecoder {
  decode: (bytes: Buffer) => string;
  /** How texts of an unknown encoding were decoded; null: the encoding is known. */
  note: string | null;
}

function encodingOfCodePage(codePage: number): string | null {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage >= 28_591 && codePage <= 28_606) return `iso-8859-${codePage - 28_590}`;
  return CODE_PAGES.get(codePage) ?? null;
}

function createDecoder(label: string): TextDecoder | null {
  const codePage = /^cp(125\d)$/i.exec(label)?.[1];
  try {
    return new TextDecoder(codePage === undefined ? label : `windows-${codePage}`);
  } catch {
    return null;
  }
}

/**
 * Creates a decoder with the declared encoding of the file (record 20, else the code page of the machine record). Without a declaration,
 * each text is decoded as UTF-8 if valid, else as windows-1252.
 */
function createSavDecoder(encodingRecord: string | null, codePage: number | null): SavDecoder {
  const named = encodingRecord ?? (codePage === null ? null : encodingOfCodePage(codePage));
  const decoder = named === null ? null : createDecoder(named.trim());
  if (decoder?.encoding === 'utf-8') return { decode: (bytes) => bytes.toString('utf8'), note: null };
  if (decoder !== null) return { decode: (bytes) => decoder.decode(bytes), note: null };
  const strict = new TextDecoder('utf-8', { fatal: true });
  const fallback = new TextDecoder('windows-1252');
  const decode = (bytes: Buffer): string => {
    try {
      return strict.decode(bytes);
    } catch {
      return fallback.decode(bytes);
    }
  };
  const reason =
    named === null ? 'does not say its encoding' : `has the unknown encoding ${named.slice(0, 40)}`;
  return { decode, note: `The file ${reason}: texts were read as UTF-8, else as windows-1252` };
}

/**
 * Reads multiple-response sets from records 7 and 19, one per line: `$name=C <label> <names>`, `$name=D<value> <label> <names>`, or
 * `$name=E <flag> <value> <label> <names>`; value and label are preceded by their lengths in bytes. Other lines are skipped.
 */
function readSets(
  record: Buffer,
  decode: (bytes: Buffer) => string,
  nameOf: (shortName: string) => string | undefined,
): SourceSet[] {
  return splitLines(record).flatMap((line) => {
    const set = readSet(line, decode, nameOf);
    return set === null ? [] : [set];
  });
}

/** Labels may contain line ends; a set begins with $. */
function splitLines(record: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = record.indexOf('\n'); at >= 0; at = record.indexOf('\n', at + 1)) {
    if (at + 1 < record.length && record[at + 1] !== 0x24) continue;
    lines.push(record.subarray(start, at));
    start = at + 1;
  }
  if (start < record.length) lines.push(record.subarray(start));
  return lines;
}

function readSet(
  line: Buffer,
  decode: (bytes: Buffer) => string,
  nameOf: (shortName: string) => string | undefined,
): SourceSet | null {
  const equals = line.indexOf('=');
  if (line[0] !== 0x24 || equals < 2) return null;
  const name = decode(line.subarray(1, equals));
  const kind = String.fromCharCode(line[equals + 1] ?? 0);
  let at = equals + 2;
  const readCountedText = (): string | null => {
    const [all, digits] = /^ ?(\d{1,9}) /.exec(line.subarray(at, at + 12).toString('latin1')) ?? [];
    if (all === undefined) return null;
    const from = at + all.length;
    at = from + Number(digits);
    return at > line.length ? null : decode(line.subarray(from, at));
  };
  let countedValue: string | null = null;
  if (kind === 'E') {
    const flag = /^ \d{1,3}(?= )/.exec(line.subarray(at, at + 5).toString('latin1'));
    if (flag === null) return null;
    at += flag[0].length;
  } else if (kind !== 'C' && kind !== 'D') return null;
  if (kind !== 'C') {
    countedValue = readCountedText();
    if (countedValue === null) return null;
  }
  const label = readCountedText();
  if (label === null) return null;
  const variables = decode(line.subarray(at))
    .split(/[ \0\r]+/)
    .filter((short) => short !== '')
    .flatMap((short) => nameOf(short) ?? []);
  return { name, label, variables: [...new Set(variables)], countedValue: countedValue?.trim() ?? null };
}

/** The SPSS numbers of the formats for dates and times. */
const DATES = new Set([20, 23, 24, 27, 28, 29, 30, 38, 39]);
const DATETIMES = new Set([22, 41]);
const TIMES = new Set([21, 25, 40]);

function unpackFormat(packed: number): SourceFormat {
  return { type: (packed >> 16) & 255, width: (packed >> 8) & 255, decimals: packed & 255 };
}

function variableKind({ type }: SourceFormat): Exclude<SourceVariable['kind'], 'string'> {
  if (DATES.has(type)) return 'date';
  if (DATETIMES.has(type)) return 'datetime';
  return TIMES.has(type) ? 'time' : 'number';
}

/** Seconds from the first day of the Gregorian calendar, 14 October 1582, to that of Unix. */
const GREGORIAN_TO_UNIX_SECONDS = 12_219_379_200;
/** The years 1 to 9999, in seconds as SPSS counts them. */
const FIRST_SECOND = -49_916_217_600;
const LAST_SECOND = 265_621_593_599;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * Formats a date or time value as `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm:ss` or `HH:mm:ss`. Preserves half a millisecond, `…:00.0005`, which our
 * exports use to mark the second occurrence of a local time. Returns values outside the calendar or the day unchanged.
 */
export function formatDateTime(kind: SourceVariable['kind'], seconds: number): string | number {
  if (kind === 'time') {
    const wholeSeconds = Math.floor(seconds);
    if (wholeSeconds < 0 || wholeSeconds >= 86_400) return seconds;
    return `${twoDigits(Math.floor(wholeSeconds / 3600))}:${twoDigits(Math.floor(wholeSeconds / 60) % 60)}:${twoDigits(wholeSeconds % 60)}`;
  }
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return seconds;
  const halfMilliseconds = Math.round((seconds - GREGORIAN_TO_UNIX_SECONDS) * 2000);
  const text = new Date(Math.floor(halfMilliseconds / 2)).toISOString();
  if (kind === 'date') return text.slice(0, 10);
  return halfMilliseconds % 2 === 0 ? text.replace(/(\.000)?Z$/, '') : text.replace('Z', '5');
}
