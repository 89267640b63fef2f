import { float64, int32, utf8 } from './bytes.ts';
import { SEGMENT_BYTES, type Layout, type VariableLayout } from './layout.ts';
import { SHORT_STRING_BYTES } from './limits.ts';
import { missingValues } from './missing-values.ts';
import type { SavReport } from './sav-report.ts';
import { valueLabels } from './value-labels.ts';

const EXTENSION = 7;
const SUBTYPE = {
  machineIntegers: 3,
  machineFloats: 4,
  responseSets: 7,
  display: 11,
  longNames: 13,
  veryLongStrings: 14,
  caseCount: 16,
  encoding: 20,
  longStringLabels: 21,
  longStringMissing: 22,
} as const;

/** Type 7, subtype, bytes of a unit, units; then the units. */
function extension(subtype: number, unitBytes: number, data: Buffer): Buffer {
  return Buffer.concat([int32(EXTENSION, subtype, unitBytes, data.length / unitBytes), data]);
}

const NO_RECORD = Buffer.alloc(0);
const UTF8_CODE_PAGE = 65_001;

/** Version (three numbers), machine, IEEE 754, bytecode, little-endian, code page. */
export function machineIntegers(): Buffer {
  return extension(SUBTYPE.machineIntegers, 4, int32(1, 0, 0, -1, 1, 1, 2, UTF8_CODE_PAGE));
}

const SYSTEM_MISSING = -Number.MAX_VALUE;
/** The next double above the system-missing value: the lower bound of a range without one. */
const LOWEST = -1.7976931348623155e308;

export function machineFloats(): Buffer {
  return extension(SUBTYPE.machineFloats, 8, float64(SYSTEM_MISSING, Number.MAX_VALUE, LOWEST));
}

/** One line per set: `$name=C <label>` or `$name=D<counted value> <label>`, then short names; both texts with their lengths in bytes. */
export function responseSets({ sets }: Layout): Buffer {
  if (sets.length === 0) return NO_RECORD;
  const lines = sets.map(({ name, label, set, members }) => {
    const counted = set.countedValue === null ? null : String(set.countedValue);
    const kind = counted === null ? 'C' : `D${counted.length} ${counted}`;
    const shortNames = members.map(({ segments }) => segments[0]!.shortName.toLowerCase());
    return `$${name}=${kind} ${label.length} ${label.toString('utf8')} ${shortNames.join(' ')}\n`;
  });
  return extension(SUBTYPE.responseSets, 1, utf8(lines.join('')));
}

const MEASURE = { nominal: 1, ordinal: 2, scale: 3 } as const;
const ALIGN = { left: 0, right: 1 } as const;
const NUMBER_COLUMN_CHARACTERS = 8;
const WIDEST_COLUMN_CHARACTERS = 32;

/** For each segment: measure, the column's width on screen, alignment. */
export function displayParameters({ variables }: Layout): Buffer {
  const data = variables.flatMap(({ variable, widthBytes, segments }) => {
    const measure = MEASURE[variable.measure];
    const parameters =
      variable.type === 'string'
        ? int32(measure, Math.min(widthBytes, WIDEST_COLUMN_CHARACTERS), ALIGN.left)
        : int32(measure, NUMBER_COLUMN_CHARACTERS, ALIGN.right);
    return segments.map(() => parameters);
  });
  return extension(SUBTYPE.display, 4, Buffer.concat(data));
}

/** `SHORT=long`, with tabs between. */
export function longNames({ variables }: Layout): Buffer {
  const pairs = variables.map(({ name, segments }) => `${segments[0]!.shortName}=${name}`);
  return extension(SUBTYPE.longNames, 1, utf8(pairs.join('\t')));
}

/** `SHORT=width` in five digits, NUL and tab after each: the variables that continue in the following segments. */
export function veryLongStrings({ variables }: Layout): Buffer {
  const wide = variables.filter(({ widthBytes }) => widthBytes > SEGMENT_BYTES);
  if (wide.length === 0) return NO_RECORD;
  const pairs = wide.map(
    ({ segments, widthBytes }) => `${segments[0]!.shortName}=${String(widthBytes).padStart(5, '0')}\0\t`,
  );
  return extension(SUBTYPE.veryLongStrings, 1, utf8(pairs.join('')));
}

/** The case count of the header as a 64-bit integer, after a 1. */
export function caseCount({ file }: Layout): Buffer {
  if (file.caseCount === null) return NO_RECORD;
  const data = Buffer.alloc(16);
  data.writeBigInt64LE(1n, 0);
  data.writeBigInt64LE(BigInt(file.caseCount), 8);
  return extension(SUBTYPE.caseCount, 8, data);
}

export function encoding(): Buffer {
  return extension(SUBTYPE.encoding, 1, utf8('UTF-8'));
}

/** For each variable: its long name with its length, width, count; and each value and label with its length. */
export function longStringLabels({ variables }: Layout, report: SavReport): Buffer {
  const data = longStrings(variables).flatMap((variableLayout) => {
    const labels = valueLabels(variableLayout, report);
    if (labels.length === 0) return [];
    return [
      withLengthPrefix(utf8(variableLayout.name)),
      int32(variableLayout.widthBytes, labels.length),
      ...labels.flatMap(({ value, label }) => [withLengthPrefix(value), withLengthPrefix(label)]),
    ];
  });
  return data.length === 0 ? NO_RECORD : extension(SUBTYPE.longStringLabels, 1, Buffer.concat(data));
}

/** For each variable: its long name with its length, the count in one byte, and 8, the bytes of each of the values that follow. */
export function longStringMissing({ variables }: Layout, report: SavReport): Buffer {
  const data = longStrings(variables).flatMap((variableLayout) => {
    const { count, values } = missingValues(variableLayout, report);
    if (count === 0) return [];
    return [withLengthPrefix(utf8(variableLayout.name)), Buffer.from([count]), int32(8), ...values];
  });
  return data.length === 0 ? NO_RECORD : extension(SUBTYPE.longStringMissing, 1, Buffer.concat(data));
}

function longStrings(variables: readonly VariableLayout[]): VariableLayout[] {
  return variables.filter(({ widthBytes }) => widthBytes > SHORT_STRING_BYTES);
}

function withLengthPrefix(bytes: Buffer): Buffer {
  return Buffer.concat([int32(bytes.length), bytes]);
}
