import type { SourceColumn, SourceSet, SourceVariable } from '../../domain/import/source-file.ts';
import { unreadableFile } from '../unreadable.ts';
import { RecordDataReader } from './sav-reader.ts';
import { createSavDecoder } from './sav-encoding.ts';
import { variableKind, unpackFormat } from './sav-format.ts';
import type { SavRecords, VariableRecord } from './sav-records.ts';
import { readSets } from './sav-sets.ts';

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
/** Of a very long string's segments; their number is reckoned by it, though each but the last holds 255 bytes. */
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

/** Gives the records their meaning: texts in their encoding, long names, long strings, labels, missing values, sets. */
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
  const weight = columns.find(({ segments }) => segments[0]!.element === records.weightIndex - 1);
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
      const record = variables[i]!;
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
      const count = record.readBytes(1)[0]!;
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
