import { requireItem } from '../../lib/require-value.ts';
import type { SourceColumn, SourceSet, SourceVariable } from '../../domain/import/source-file.ts';
import { unreadableFile } from '../byte-file.ts';
import { readFileAttributes, listAttributedVariables } from './sav-attributes.ts';
import { createSavDecoder, type SavEncoding } from './sav-encoding.ts';
import { namesOfFormat, unpackFormat, variableKind } from './sav-formats.ts';
import {
  DOCUMENT_LINE_BYTES,
  RecordDataReader,
  type SavRecords,
  type VariableRecord,
} from './sav-records.ts';
import { readSets } from './sav-sets.ts';

const SUBTYPE = {
  machineIntegers: 3,
  responseSets: 7,
  display: 11,
  longNames: 13,
  veryLongStrings: 14,
  fileAttributes: 17,
  variableAttributes: 18,
  responseSets19: 19,
  encoding: 20,
  longStringLabels: 21,
  longStringMissing: 22,
} as const;
/** SPSS allows 32,767 bytes; ReadStat writes more, as five digits. */
const MAX_STRING_BYTES = 99_999;
const TAB = 0x09;
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
  /** Value of the file attribute with the time zone of the moments; null: the file has none. */
  timeZone: string | null;
  /** Grows while texts are decoded. */
  notes: string[];
  decode: (bytes: Buffer) => string;
}

/** The file attribute with the IANA name of the time zone, which exports write. */
const TIME_ZONE_ATTRIBUTE = 'timezone';

/** Interprets the records: decodes texts and combines long names, long strings, labels, missing values and sets. */
export function readDictionary(records: SavRecords, requested: SavEncoding | null): SavDictionary {
  const { extensions, bytes } = records;
  const notes: string[] = [];
  const machine = extensions.get(SUBTYPE.machineIntegers);
  const encoding = {
    requested,
    name: extensions.get(SUBTYPE.encoding)?.toString('latin1').replaceAll('\0', '') ?? null,
    codePage: machine !== undefined && machine.length >= 32 ? bytes.intIn(machine, 28) : null,
  };
  const decode = createSavDecoder({ ...encoding, note: (text) => notes.push(text) });
  // Short names may end within a character, which does no harm where the variable has a long one.
  const decodeShortName = createSavDecoder({ ...encoding, note: () => undefined });
  const builder = new DictionaryBuilder(records, decode, decodeShortName);
  const columns = builder.buildColumns();
  const sets = [SUBTYPE.responseSets, SUBTYPE.responseSets19].flatMap((subtype) =>
    readSets(extensions.get(subtype) ?? Buffer.alloc(0), { decode, decodeShortName }, builder.columnOf),
  );
  const weight = columns.find(({ segments }) => segments[0]?.element === records.weightIndex - 1);
  const attributes = readFileAttributes(decode(extensions.get(SUBTYPE.fileAttributes) ?? Buffer.alloc(0)));
  const timeZone = attributes.get(TIME_ZONE_ATTRIBUTE) ?? null;
  notes.push(...unusedNotes(records, decode, [...attributes.keys()]));
  return {
    fileLabel: trimPadding(decode(records.fileLabel)),
    columns,
    sets: [...new Map(sets.map((set) => [set.name.toLowerCase(), set])).values()],
    weight: records.weightIndex > 0 && weight?.width === 0 ? weight.column.header : null,
    timeZone,
    notes,
    decode,
  };
}

const MAX_NOTED_CHARACTERS = 1_000;
const MAX_NOTED_LINES = 10;
/** Attributes that SPSS adds to every file. */
const OWN_ATTRIBUTE = /^\$@/;

/** Notes on parts of the file that surveys have no place for. */
function unusedNotes(
  { documents, extensions }: SavRecords,
  decode: (bytes: Buffer) => string,
  fileAttributes: readonly string[],
): string[] {
  const notes: string[] = [];
  const lineCount = documents.length / DOCUMENT_LINE_BYTES;
  const lines = Array.from({ length: Math.min(lineCount, MAX_NOTED_LINES) }, (_, i) =>
    trimPadding(decode(documents.subarray(i * DOCUMENT_LINE_BYTES, (i + 1) * DOCUMENT_LINE_BYTES))),
  );
  if (lineCount > 0)
    notes.push(`The file has ${lineCount} lines of documents, which are not imported: ${lines.join(' ')}`);
  const others = fileAttributes.filter((name) => name !== TIME_ZONE_ATTRIBUTE && !OWN_ATTRIBUTE.test(name));
  if (others.length > 0)
    notes.push(
      `The file has attributes, which are not imported: ${others.join(', ').slice(0, MAX_NOTED_CHARACTERS)}`,
    );
  const variables = listAttributedVariables(
    decode(extensions.get(SUBTYPE.variableAttributes) ?? Buffer.alloc(0)),
    (name) => !OWN_ATTRIBUTE.test(name),
  );
  if (variables.length > 0)
    notes.push(
      `Attributes of variables are not imported: those of ${variables.join(', ').slice(0, MAX_NOTED_CHARACTERS)}`,
    );
  return notes;
}

type Labels = SourceVariable['valueLabels'];

class DictionaryBuilder {
  private readonly longNames: ReadonlyMap<string, string>;
  /** By short name, then by long name, both folded. */
  private readonly byName = new Map<string, SourceColumn>();
  private readonly decoded = new Map<unknown, { numbers?: Labels; strings?: Labels }>();

  constructor(
    private readonly records: SavRecords,
    private readonly decode: (bytes: Buffer) => string,
    private readonly decodeShortName: (bytes: Buffer) => string,
  ) {
    this.longNames = this.readPairs(SUBTYPE.longNames);
  }

  readonly columnOf = (name: string): SourceColumn | undefined => this.byName.get(name.toLowerCase());

  buildColumns(): ColumnLayout[] {
    const { variables } = this.records;
    const widths = this.readPairs(SUBTYPE.veryLongStrings);
    const longLabels = this.readLongLabels();
    const longMissing = this.readLongMissing();
    const measures = this.readMeasures();
    const columns: ColumnLayout[] = [];
    for (let i = 0; i < variables.length;) {
      const record = requireItem(variables, i);
      const shortName = trimPadding(this.decodeShortName(record.shortName));
      const width = this.widthOf(record, widths.get(shortName.toUpperCase()));
      const count = width > 255 ? Math.ceil(width / SEGMENT_SHARE_BYTES) : 1;
      const parts = variables.slice(i, i + count);
      if (parts.length < count || (count > 1 && parts.some((part) => part.width === 0)))
        throw unreadableFile(`the .sav file is damaged: the long string ${shortName} lacks segments`);
      const name = this.longNames.get(shortName.toUpperCase()) ?? trimPadding(this.decode(record.shortName));
      const variable = this.buildVariable(record, width, measures[i] ?? null);
      const labels = longLabels.get(name.toLowerCase());
      const missing = longMissing.get(name.toLowerCase());
      const column = {
        header: name,
        label: record.label === null ? null : this.decode(record.label),
        variable: {
          ...variable,
          ...(labels === undefined ? {} : { valueLabels: labels }),
          ...(missing === undefined ? {} : { missing }),
        },
      };
      this.byName.set(shortName.toLowerCase(), column);
      columns.push({
        column,
        width,
        segments: parts.map((part) => ({ element: part.element, width: part.width })),
      });
      i += count;
    }
    for (const { column } of columns) {
      const folded = column.header.toLowerCase();
      if (!this.byName.has(folded)) this.byName.set(folded, column);
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
    const isValue = (value: string | number | undefined) =>
      typeof value === 'string' || Number.isFinite(value);
    const labels = this.labelsOf(record.labels, width);
    const names = width > 0 ? null : namesOfFormat(format);
    return {
      kind: width > 0 ? 'string' : variableKind(format),
      format,
      measure,
      valueLabels: names === null ? labels : withFormatNames(labels, names),
      missing: (isRange ? values.slice(2) : values).filter(isValue),
      missingRange:
        isRange && typeof low === 'number' && typeof high === 'number' && isValue(low) && isValue(high)
          ? { low, high }
          : null,
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
      : trimPadding(this.decode(bytes.subarray(0, width)));
  }

  /** `KEY=value`, separated by tabs, by the short names in upper case. Each name is decoded by itself, because it may end within a character. */
  private readPairs(subtype: number): Map<string, string> {
    const data = this.records.extensions.get(subtype) ?? Buffer.alloc(0);
    const pairs = new Map<string, string>();
    for (let start = 0; start < data.length;) {
      const tab = data.indexOf(TAB, start);
      const pair = data.subarray(start, tab < 0 ? data.length : tab);
      const equals = pair.indexOf('=');
      if (equals > 0) {
        const value = this.decode(pair.subarray(equals + 1)).replaceAll('\0', '');
        pairs.set(this.decodeShortName(pair.subarray(0, equals)).toUpperCase(), value);
      }
      start += pair.length + 1;
    }
    return pairs;
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
        const value = trimPadding(this.decode(record.readBytes(record.readInt())));
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
      for (let i = 0; i < count; i += 1) values.push(trimPadding(this.decode(record.readBytes(bytes))));
      byVariable.set(name.toLowerCase(), values);
    }
    return byVariable;
  }

  private recordOf(subtype: number): RecordDataReader {
    return new RecordDataReader(this.records.extensions.get(subtype) ?? Buffer.alloc(0), this.records.bytes);
  }
}

/** Labels of the file, and for other numbers from 1 the names that the format shows. */
function withFormatNames(labels: Labels, names: readonly string[]): Labels {
  const labeled = new Set(labels.map(([value]) => value));
  const named = names.map((name, i) => [i + 1, name] as const).filter(([value]) => !labeled.has(value));
  return [...labels, ...named];
}

/** Removes the spaces and NUL characters that fill up a text; leading spaces belong to it. */
function trimPadding(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\0')) end -= 1;
  return text.slice(0, end);
}
