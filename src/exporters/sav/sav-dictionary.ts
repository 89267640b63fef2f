import { requireItem } from '../../lib/require-value.ts';
import {
  fitText,
  float64,
  int32,
  padToMultiple,
  padWithSpaces,
  SPACE,
  utf8,
  fitLabels,
  type FullLabel,
} from './sav-text.ts';
import {
  ELEMENT_BYTES,
  type Layout,
  SEGMENT_BYTES,
  type VariableLayout,
  MAX_FILE_LABEL_BYTES,
  MAX_MISSING_VALUES,
  MAX_STRING_BYTES,
  MAX_VALUE_LABEL_BYTES,
  MAX_VARIABLE_LABEL_BYTES,
  type SavLoss,
  type SavReport,
  type SavVariable,
  SHORT_STRING_BYTES,
} from './sav-layout.ts';

interface MissingValues {
  /** As the variable record counts: 0 to 3 values, -2 a range, -3 a range and one value. */
  count: number;
  /** Eight bytes each. */
  values: Buffer[];
}

function missingValues({ variable, widthBytes }: VariableLayout, report: SavReport): MissingValues {
  const range = variable.type === 'string' ? undefined : variable.missingRange;
  const given = new Set<string | number>(variable.missing ?? []);
  const kept = [...given].slice(0, range === undefined ? MAX_MISSING_VALUES : 1);
  if (given.size > kept.length) {
    report.add('missing_value_left_out', variable.name, given.size - kept.length);
  }
  const values = kept.map((value) => {
    if (typeof value === 'number') return float64(value);
    const maxBytes = Math.min(widthBytes, ELEMENT_BYTES);
    return padWithSpaces(
      fitText(value, maxBytes, () => report.add('missing_value_cut', variable.name)),
      ELEMENT_BYTES,
    );
  });
  if (range === undefined) return { count: values.length, values };
  return {
    count: -(2 + values.length),
    values: [float64(range.low), float64(range.high), ...values],
  };
}

interface ValueLabel {
  /** A number's eight bytes, or a string's filled up to its width. */
  value: Buffer;
  label: Buffer;
}

/** Encoded value labels. Of duplicate values (also after truncation) the first label is kept. */
function valueLabels({ variable, widthBytes }: VariableLayout, report: SavReport): ValueLabel[] {
  const labeled = new Map<string, { value: Buffer; full: FullLabel }>();
  for (const [value, text] of variable.valueLabels ?? []) {
    const bytes =
      typeof value === 'number'
        ? float64(value)
        : stringValue({ value, widthBytes, name: variable.name, report });
    const key = bytes.toString('latin1');
    if (!labeled.has(key)) labeled.set(key, { value: bytes, full: { text, name: String(value) } });
  }
  const entries = [...labeled.values()];
  const labels = fitLabels(
    entries.map(({ full }) => full),
    MAX_VALUE_LABEL_BYTES,
    () => report.add('value_label_cut', variable.name),
  );
  return entries.map(({ value }, i) => ({ value, label: requireItem(labels, i) }));
}

function stringValue({
  value,
  widthBytes,
  name,
  report,
}: {
  value: string;
  widthBytes: number;
  name: string;
  report: SavReport;
}): Buffer {
  return padWithSpaces(
    fitText(value, widthBytes, () => report.add('labelled_value_cut', name)),
    widthBytes,
  );
}

const RECORD = { variable: 2, valueLabels: 3, labeledVariables: 4, end: 999 } as const;
const PRODUCT = '@(#) SPSS DATA FILE Canvass';
const LAYOUT_CODE = 2;
const BYTECODE_COMPRESSION = 1;
/** Added to a small whole number to make its bytecode. */
export const COMPRESSION_BIAS = 100;
const UNKNOWN_CASE_COUNT = -1;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `$FL2`, product (60), layout, elements of a case, compression, weight's index, cases, bias, date, time, label (64), 3 spare. */
function fileHeader({ file, elements, weightIndex }: Layout, report: SavReport): Buffer {
  const { createdAt } = file;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const date = [
    twoDigits(createdAt.getUTCDate()),
    MONTHS[createdAt.getUTCMonth()],
    twoDigits(createdAt.getUTCFullYear() % 100),
  ];
  const time = [createdAt.getUTCHours(), createdAt.getUTCMinutes(), createdAt.getUTCSeconds()].map(twoDigits);
  const label = fitText(file.fileLabel, MAX_FILE_LABEL_BYTES, () => report.add('file_label_cut', ''));
  return Buffer.concat([
    utf8('$FL2'),
    padWithSpaces(utf8(PRODUCT), 60),
    int32(LAYOUT_CODE, elements, BYTECODE_COMPRESSION, weightIndex, file.caseCount ?? UNKNOWN_CASE_COUNT),
    float64(COMPRESSION_BIAS),
    utf8(date.join(' ')),
    utf8(time.join(':')),
    padWithSpaces(label, MAX_FILE_LABEL_BYTES),
    Buffer.alloc(3),
  ]);
}

/**
 * For each segment: type 2, width, has a label, count of missing values, print and write format, short name (8); then the label
 * (its length, its bytes filled up to a multiple of 4) and the missing values. After it a dummy of width -1 for each further
 * element of a string.
 */
function variableRecords(variableLayout: VariableLayout, report: SavReport): Buffer {
  const { variable, segments, widthBytes, label: variableLabel } = variableLayout;
  const none = { count: 0, values: [] };
  const missing = widthBytes > SHORT_STRING_BYTES ? none : missingValues(variableLayout, report);
  const parts: Buffer[] = [];
  segments.forEach(({ shortName, widthBytes: width, elements }, i) => {
    const label = i === 0 ? variableLabel : null;
    const segmentMissing = i === 0 ? missing : none;
    const format = packedFormat(variable, width);
    parts.push(
      int32(RECORD.variable, width, label === null ? 0 : 1, segmentMissing.count, format, format),
      padWithSpaces(utf8(shortName), 8),
    );
    if (label !== null) parts.push(int32(label.length), padToMultiple(label, 4));
    parts.push(...segmentMissing.values);
    for (let element = 1; element < elements; element += 1) {
      parts.push(int32(RECORD.variable, -1, 0, 0, 0, 0), Buffer.alloc(8, SPACE));
    }
  });
  return Buffer.concat(parts);
}

/** SPSS's numbers of display formats. */
const FORMAT = { A: 1, AHEX: 2, F: 5, DATE: 20, TIME: 21, DATETIME: 22, MOYR: 28 } as const;
const MAX_DECIMALS = 16;
const MAX_NUMBER_CHARACTERS = 40;
const DEFAULT_NUMBER_CHARACTERS = 8;

/** One integer: the format's number, characters, decimals. */
function packedFormat(variable: SavVariable, widthBytes: number): number {
  const packed = (format: number, characters: number, decimals = 0) =>
    (format << 16) | (characters << 8) | decimals;
  const { format } = variable;
  if (format !== undefined && variable.type !== 'string')
    return packed(format.type, format.width, format.decimals);
  switch (variable.type) {
    case 'string':
      // The format of a string depends only on its width; AHEX shows two digits for each byte.
      if (format?.type === FORMAT.AHEX && 2 * widthBytes <= SEGMENT_BYTES)
        return packed(FORMAT.AHEX, 2 * widthBytes);
      return packed(FORMAT.A, Math.min(widthBytes, SEGMENT_BYTES));
    case 'month':
      return packed(FORMAT.MOYR, 'mmm yyyy'.length);
    case 'date':
      return packed(FORMAT.DATE, 'dd-mmm-yyyy'.length);
    case 'datetime':
      return packed(FORMAT.DATETIME, 'dd-mmm-yyyy hh:mm:ss'.length);
    case 'time':
      return packed(FORMAT.TIME, 'hh:mm:ss'.length);
    case 'number': {
      const decimals = Math.min(MAX_DECIMALS, Math.max(0, variable.decimals ?? 0));
      // A point and a digit before it must fit as well.
      const minCharacters = decimals === 0 ? 1 : decimals + 2;
      const requestedCharacters = variable.widthCharacters ?? DEFAULT_NUMBER_CHARACTERS;
      return packed(
        FORMAT.F,
        Math.min(MAX_NUMBER_CHARACTERS, Math.max(minCharacters, requestedCharacters)),
        decimals,
      );
    }
  }
}

/**
 * For numbers and short strings. Type 3, count, and each value (8) with its label (a length byte and the text, together a multiple
 * of 8); then type 4, how many variables have them, and those variables' indexes.
 */
function valueLabelRecords(variableLayout: VariableLayout, report: SavReport): Buffer {
  const labels = variableLayout.widthBytes > SHORT_STRING_BYTES ? [] : valueLabels(variableLayout, report);
  if (labels.length === 0) return Buffer.alloc(0);
  return Buffer.concat([
    int32(RECORD.valueLabels, labels.length),
    ...labels.flatMap(({ value, label }) => [
      padWithSpaces(value, ELEMENT_BYTES),
      padToMultiple(Buffer.concat([Buffer.from([label.length]), label]), 8),
    ]),
    int32(RECORD.labeledVariables, 1, variableLayout.index),
  ]);
}

function endOfDictionary(): Buffer {
  return int32(RECORD.end, 0);
}

const EXTENSION = 7;
const SUBTYPE = {
  machineIntegers: 3,
  machineFloats: 4,
  responseSets: 7,
  display: 11,
  longNames: 13,
  veryLongStrings: 14,
  caseCount: 16,
  fileAttributes: 17,
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
function machineIntegers(): Buffer {
  return extension(SUBTYPE.machineIntegers, 4, int32(1, 0, 0, -1, 1, 1, 2, UTF8_CODE_PAGE));
}

const SYSTEM_MISSING = -Number.MAX_VALUE;
/** The next double above the system-missing value: the lower bound of a range without one. */
const LOWEST = -1.7976931348623155e308;

function machineFloats(): Buffer {
  return extension(SUBTYPE.machineFloats, 8, float64(SYSTEM_MISSING, Number.MAX_VALUE, LOWEST));
}

/** The short name of a variable: that of its first segment. */
const shortNameOf = ({ segments }: VariableLayout): string => requireItem(segments, 0).shortName;

/** One line per set: `$name=C <label>` or `$name=D<counted value> <label>`, then short names; both texts with their lengths in bytes. */
function responseSets({ sets }: Layout): Buffer {
  if (sets.length === 0) return NO_RECORD;
  const lines = sets.map(({ name, label, set, members }) => {
    const counted = set.countedValue === null ? null : String(set.countedValue);
    const kind = counted === null ? 'C' : `D${counted.length} ${counted}`;
    const shortNames = members.map((member) => shortNameOf(member).toLowerCase());
    return `$${name}=${kind} ${label.length} ${label.toString('utf8')} ${shortNames.join(' ')}\n`;
  });
  return extension(SUBTYPE.responseSets, 1, utf8(lines.join('')));
}

const MEASURE = { nominal: 1, ordinal: 2, scale: 3 } as const;
const ALIGN = { left: 0, right: 1 } as const;
const NUMBER_COLUMN_CHARACTERS = 8;
const WIDEST_COLUMN_CHARACTERS = 32;

/** For each segment: measure, the column's width on screen, alignment. */
function displayParameters({ variables }: Layout): Buffer {
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
function longNames({ variables }: Layout): Buffer {
  const pairs = variables.map((variable) => `${shortNameOf(variable)}=${variable.name}`);
  return extension(SUBTYPE.longNames, 1, utf8(pairs.join('\t')));
}

/** `SHORT=width` in five digits, NUL and tab after each: the variables that continue in the following segments. */
function veryLongStrings({ variables }: Layout): Buffer {
  const wide = variables.filter(({ widthBytes }) => widthBytes > SEGMENT_BYTES);
  if (wide.length === 0) return NO_RECORD;
  const pairs = wide.map(
    (variable) => `${shortNameOf(variable)}=${String(variable.widthBytes).padStart(5, '0')}\0\t`,
  );
  return extension(SUBTYPE.veryLongStrings, 1, utf8(pairs.join('')));
}

/** The case count of the header as a 64-bit integer, after a 1. */
function caseCount({ file }: Layout): Buffer {
  if (file.caseCount === null) return NO_RECORD;
  const data = Buffer.alloc(16);
  data.writeBigInt64LE(1n, 0);
  data.writeBigInt64LE(BigInt(file.caseCount), 8);
  return extension(SUBTYPE.caseCount, 8, data);
}

/** `name('value'` line end `)`: the time zone of the moments, which imports read. */
function fileAttributes({ file: { timeZone } }: Layout): Buffer {
  return timeZone === undefined
    ? NO_RECORD
    : extension(SUBTYPE.fileAttributes, 1, utf8(`timezone('${timeZone}'\n)`));
}

function encoding(): Buffer {
  return extension(SUBTYPE.encoding, 1, utf8('UTF-8'));
}

/** For each variable: its long name with its length, width, count; and each value and label with its length. */
function longStringLabels({ variables }: Layout, report: SavReport): Buffer {
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
function longStringMissing({ variables }: Layout, report: SavReport): Buffer {
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

const DOCUMENT_RECORD = 6;
const LINE_BYTES = 80;
const MAX_LINES = 2_000;

const LOSS_MESSAGES: Readonly<Record<SavLoss, string>> = {
  name_changed: 'renamed to follow the naming rules of SPSS',
  file_label_cut: `file label truncated to ${MAX_FILE_LABEL_BYTES} bytes`,
  variable_label_cut: `label truncated to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  value_label_cut: `value labels truncated to ${MAX_VALUE_LABEL_BYTES} bytes`,
  set_label_cut: `set label truncated to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  labelled_value_cut: 'labeled values truncated to the width of the variable',
  missing_value_cut: 'missing values truncated to 8 bytes',
  text_cut: 'texts truncated to the width of the variable',
  texts_too_long: `texts truncated to ${MAX_STRING_BYTES} bytes`,
  missing_value_left_out: `missing values left out: SPSS allows ${MAX_MISSING_VALUES}, or a range and one value`,
  set_left_out: 'set left out: it has only one variable',
  cell_unreadable: 'cells that are not numbers left out',
};

/**
 * The document record, which `DISPLAY DOCUMENTS` shows: notes on the file, and what was truncated or left out of the dictionary. Lines have 80
 * bytes.
 */
function documentRecord(documents: readonly string[], report: SavReport): Buffer {
  const losses = report
    .listLines()
    .slice(0, MAX_LINES)
    .map(({ loss, name, count }) => {
      const times = count > 1 ? ` (${count})` : '';
      return `${name === '' ? '' : `${name}: `}${LOSS_MESSAGES[loss]}${times}`;
    });
  const heading = losses.length === 0 ? [] : ['Changes required by the SPSS format:'];
  const lines = [...documents, ...heading, ...losses];
  if (lines.length === 0) return Buffer.alloc(0);
  return Buffer.concat([
    int32(DOCUMENT_RECORD, lines.length),
    ...lines.map((line) =>
      padWithSpaces(
        fitText(line, LINE_BYTES, () => undefined),
        LINE_BYTES,
      ),
    ),
  ]);
}

/** Encodes all records before the cases. Losses of the dictionary are in the document record. */
export function encodeDictionary(layout: Layout, report: SavReport): Buffer {
  const { variables } = layout;
  const variableParts = [
    fileHeader(layout, report),
    ...variables.map((variableLayout) => variableRecords(variableLayout, report)),
    ...variables.map((variableLayout) => valueLabelRecords(variableLayout, report)),
  ];
  const extensionParts = [
    machineIntegers(),
    machineFloats(),
    responseSets(layout),
    displayParameters(layout),
    longNames(layout),
    veryLongStrings(layout),
    caseCount(layout),
    fileAttributes(layout),
    encoding(),
    longStringLabels(layout, report),
    longStringMissing(layout, report),
  ];
  return Buffer.concat([
    ...variableParts,
    documentRecord(layout.file.documents ?? [], report),
    ...extensionParts,
    endOfDictionary(),
  ]);
}
