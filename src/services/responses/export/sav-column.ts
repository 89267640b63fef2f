import { requireItem } from '../../../lib/require-value.ts';
import {
  type Cell,
  type ColumnSpec,
  type ColumnValue,
  formatListCell,
} from '../../../domain/columns/column-spec.ts';
import {
  MAX_MISSING_VALUES,
  MAX_STRING_BYTES,
  type NumericVariable,
  type ResponseSet,
  type SavCell,
  type SavVariable,
} from '../../../exporters/sav/sav-layout.ts';
import { noAnswerLabel } from '../../../domain/columns/no-answer.ts';
import { binaryColumnsOfSet, type CatalogColumn } from '../../../domain/dataset/column-catalog.ts';
import { utf8, labelEnding } from '../../../exporters/sav/sav-text.ts';
import { typeOf } from '../../../domain/questions/registry.ts';
import { type CellConverter, isTimestamp, type LocalTimestamps } from '../../../exporters/file-column.ts';

type UserMissing = Pick<NumericVariable, 'missing' | 'missingRange'>;

/**
 * Expresses the codes of missing values as SPSS allows: at most three; of more, the longest run without a valid code in between as a
 * range, and the first code outside the range. `missing` keeps all codes outside the range, so that the
 * writer can report the ones that it leaves out.
 */
export function userMissing(values: readonly ColumnValue[]): UserMissing {
  const codes = (missing: boolean) =>
    values.filter((value) => value.missing === missing).map(({ number }) => number);
  return expressMissing(codes(true), codes(false));
}

function expressMissing(codes: readonly number[], valid: readonly number[]): UserMissing {
  const missing = [...codes].sort((a, b) => a - b);
  if (missing.length === 0) return {};
  if (missing.length <= MAX_MISSING_VALUES) return { missing };
  const run = longestRun(missing, valid);
  const rest = missing.filter((code) => !run.includes(code));
  if (run.length < MAX_MISSING_VALUES) return { missing };
  return {
    missingRange: { low: requireItem(run, 0), high: requireItem(run, -1) },
    ...(rest.length > 0 ? { missing: rest } : {}),
  };
}

function longestRun(missing: readonly number[], valid: readonly number[]): number[] {
  let longest: number[] = [];
  let run: number[] = [];
  for (const code of missing) {
    const last = run.at(-1);
    const isInterrupted = last !== undefined && valid.some((other) => other > last && other < code);
    run = isInterrupted ? [code] : [...run, code];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

interface SavColumn {
  variable: SavVariable;
  read: CellConverter<SavCell>;
}

/** A column without the reasons instead of an answer. */
interface ValueColumn {
  variable: SavVariable;
  read: (cell: Cell) => SavCell;
}

/**
 * Adds the reasons that respondents can give instead of an answer, as user-missing values with labels. A string holds their codes as texts.
 */
function withReasons({ spec }: CatalogColumn, { variable, read }: ValueColumn): SavColumn {
  const { noAnswers = [] } = spec;
  if (noAnswers.length === 0) return { variable, read };
  if (variable.type === 'string') {
    const codes = noAnswers.map(({ code }) => String(code));
    const labels = noAnswers.map((choice) => [String(choice.code), noAnswerLabel(choice)] as const);
    const widthBytes = Math.max(variable.widthBytes, ...codes.map((code) => code.length));
    return {
      variable: {
        ...variable,
        widthBytes,
        missing: [...new Set([...(variable.missing ?? []), ...codes])],
        valueLabels: withLabels<string>(variable.valueLabels, labels),
      },
      read: (cell, given) => (given === null ? read(cell) : String(given.code)),
    };
  }
  const labels = noAnswers.map((choice) => [choice.code, noAnswerLabel(choice)] as const);
  const { missing = [], missingRange } = variable;
  const isInRange = (code: number) =>
    missingRange !== undefined && code >= missingRange.low && code <= missingRange.high;
  const all = [...new Set([...missing, ...noAnswers.map(({ code }) => code)])];
  const codes = all.filter((code) => !isInRange(code));
  const isTooMany = codes.length > MAX_MISSING_VALUES && missingRange === undefined;
  const expressed = isTooMany
    ? expressMissing(
        codes,
        spec.values.map(({ number }) => number).filter((number) => !codes.includes(number)),
      )
    : { missing: codes };
  return {
    variable: { ...variable, ...expressed, valueLabels: withLabels<number>(variable.valueLabels, labels) },
    read: (cell, given) => (given === null ? read(cell) : given.code),
  };
}

/** Adds the labels of values that have none. */
function withLabels<Value extends number | string>(
  labels: readonly (readonly [Value, string])[] = [],
  added: readonly (readonly [Value, string])[],
): (readonly [Value, string])[] {
  const labeled = new Set(labels.map(([value]) => value));
  return [...labels, ...added.filter(([value]) => !labeled.has(value))];
}

/**
 * Converts a column to an SPSS variable: a category becomes its number with the label, a date the SPSS type of its precision (a month
 * its first day, shown as MMM YYYY; a year a number), other types stay unchanged. `widthBytes` applies to texts.
 */
export function toSavColumn(
  entry: CatalogColumn,
  widthBytes: number,
  timestamps: LocalTimestamps,
): SavColumn {
  return withReasons(entry, restoreImported(entry, convertColumn(entry, widthBytes, timestamps)));
}

function convertColumn(entry: CatalogColumn, widthBytes: number, timestamps: LocalTimestamps): ValueColumn {
  const { spec } = entry;
  const { columnCode: name, label, measure } = spec;
  const ending =
    entry.origin.kind === 'question' ? labelEnding(entry.origin.questionColumns.question, label) : undefined;
  const described = { name, label, labelEnding: ending, measure };
  switch (spec.type) {
    case 'categorical': {
      const numbers = new Map(spec.values.map(({ value, number }) => [value, number]));
      const valueLabels = spec.values.map(({ number, label }) => [number, label] as const);
      const decimals = Math.max(0, ...spec.values.map(({ number }) => countDecimals(number)));
      return {
        variable: { ...described, type: 'number', decimals, valueLabels, ...userMissing(spec.values) },
        read: (cell) => (cell === null ? null : (numbers.get(String(cell)) ?? String(cell))),
      };
    }
    case 'binary':
    case 'rank':
    case 'number': {
      const variable: NumericVariable = {
        ...described,
        type: 'number',
        decimals: decimalsOf(entry),
        widthCharacters:
          spec.type === 'number' && spec.values.length === 0 ? WIDE_CHARACTERS : DEFAULT_CHARACTERS,
        valueLabels: numberLabels(spec),
        ...userMissing(spec.values),
      };
      return { variable, read: toSavCell };
    }
    case 'date': {
      if (isTimestamp(spec)) {
        const read = (cell: Cell) => (cell === null ? null : timestamps.toMarkedWallClock(String(cell)));
        return { variable: { ...described, type: timestamps.daysOnly ? 'date' : 'datetime' }, read };
      }
      const type = spec.precision === 'year' ? 'number' : (spec.precision ?? 'date');
      return { variable: { ...described, type }, read: toSavCell };
    }
    case 'text':
    case 'file':
    case 'multiple':
      return { variable: { ...described, type: 'string', widthBytes }, read: toSavCell };
  }
}

/** Decimals of a number as it is written in full, at most 16. */
function countDecimals(number: number): number {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [, fraction = ''] = digits.split('.');
  return Math.min(16, Math.max(0, fraction.length - Number(exponent)));
}

function toSavCell(cell: Cell): SavCell {
  return Array.isArray(cell) ? formatListCell(cell) : cell;
}

/** Scale points without a text get no value label. */
function numberLabels({ values }: ColumnSpec): [number, string][] {
  return values
    .filter(({ value, label }) => label !== value)
    .map(({ value, label }): [number, string] => [Number(value), label]);
}

const DEFAULT_CHARACTERS = 8;
/** Wide enough for an ID or an amount. */
const WIDE_CHARACTERS = 12;
const DEFAULT_DECIMALS = 2;
const WEIGHT_DECIMALS = 4;

/** Decimals shown; stored values keep full precision. */
function decimalsOf({ spec, origin }: CatalogColumn): number {
  if (spec.type !== 'number') return 0;
  if (origin.kind === 'derived') return spec.source === 'weight' ? WEIGHT_DECIMALS : DEFAULT_DECIMALS;
  if (origin.kind === 'metadata') return spec.measure === 'scale' ? DEFAULT_DECIMALS : 0;
  const { question } = origin.questionColumns;
  return typeOf(question).spss.decimals(question);
}

type ImportedSettings = NonNullable<ReturnType<typeof importedSettings>>;

function importedSettings({ origin }: CatalogColumn) {
  return origin.kind === 'question' ? origin.questionColumns.question.settings.variable : undefined;
}

/** The imported variable behind a 0/1 column of a multiple-response set. */
function importedMember({ spec, origin }: CatalogColumn, imported: ImportedSettings) {
  if (origin.kind !== 'question' || spec.type !== 'binary') return undefined;
  const { code } = origin.questionColumns.question;
  return imported.members?.find(({ option_code: option }) => {
    return spec.columnCode === `${code}_${option < 0 ? `m${-option}` : option}`;
  });
}

/** The value that means "chosen" in a set; 1 where the imported value was a text, because 0/1 columns are numeric. */
function countedNumber({ counted }: Pick<ImportedSettings, 'counted'>): number {
  const value = counted === undefined || counted === '' ? NaN : Number(counted);
  return Number.isFinite(value) ? value : 1;
}

/** The name of a column in the file: the original name of an imported variable, else the column code. */
export function savName(entry: CatalogColumn): string {
  const imported = importedSettings(entry);
  const { spec, origin } = entry;
  if (imported === undefined || origin.kind !== 'question') return spec.columnCode;
  const member = importedMember(entry, imported);
  if (member !== undefined) return member.name;
  return spec.columnCode === origin.questionColumns.question.code ? imported.name : spec.columnCode;
}

/** Restores name, label, format, values and missing values of a column that was imported from a statistics file. */
function restoreImported(entry: CatalogColumn, converted: ValueColumn): ValueColumn {
  const imported = importedSettings(entry);
  const { spec, origin } = entry;
  if (imported === undefined || origin.kind !== 'question') return converted;
  const member = importedMember(entry, imported);
  if (member !== undefined && converted.variable.type === 'number') {
    const { name, label, format, other, measure = converted.variable.measure } = member;
    const counted = countedNumber(imported);
    const read = (cell: Cell) => (cell === null ? null : Number(cell) === 1 ? counted : other);
    const described = { name, label, format, measure, valueLabels: numericLabels(member) };
    return { variable: { ...converted.variable, ...described, ...numericMissing(member) }, read };
  }
  if (spec.columnCode !== origin.questionColumns.question.code || imported.kind === undefined)
    return converted;
  const { name, format, measure } = imported;
  const isLabelUnchanged = spec.label === (imported.label?.trim() ?? '') || spec.label === name;
  const described = {
    name,
    label: isLabelUnchanged ? imported.label : spec.label,
    // The measure of a choice is a setting of the question, which its author may have changed.
    measure:
      spec.type === 'categorical' ? converted.variable.measure : (measure ?? converted.variable.measure),
    ...(format === undefined ? {} : { format }),
  };
  if (spec.type === 'categorical')
    return withImportedValues(entry, imported, { ...converted.variable, ...described }) ?? converted;
  if (converted.variable.type === 'string') {
    const { missing = [] } = imported;
    const valueLabels = (imported.value_labels ?? []).map(
      ({ value, label }) => [String(value), label] as const,
    );
    const texts = { valueLabels, missing: missing.filter((value) => typeof value === 'string') };
    return { ...converted, variable: { ...converted.variable, ...described, ...texts } };
  }
  const labels = numericLabels(imported);
  const numeric = {
    ...described,
    ...numericMissing(imported),
    ...(labels.length > 0 && { valueLabels: labels }),
  };
  return { ...converted, variable: { ...converted.variable, ...numeric } };
}

function numericLabels({ value_labels: labels = [] }: Pick<ImportedSettings, 'value_labels'>) {
  return labels.flatMap(({ value, label }) => (typeof value === 'number' ? [[value, label] as const] : []));
}

function numericMissing({
  missing,
  missing_range: range,
}: Pick<ImportedSettings, 'missing' | 'missing_range'>) {
  const values = (missing ?? []).filter((value) => typeof value === 'number');
  return {
    ...(values.length > 0 ? { missing: values } : {}),
    ...(range == null ? {} : { missingRange: range }),
  };
}

/** Categories by their option_values, the values of the imported file; null if a later category has a value of another type. */
function withImportedValues(
  { spec: { values } }: CatalogColumn,
  imported: ImportedSettings,
  variable: SavVariable,
): ValueColumn | null {
  // A category without an imported label has its value as label.
  const ownLabels = new Set((imported.value_labels ?? []).map(({ value }) => String(value)));
  const originals = new Map((imported.values ?? []).map(({ option_value, value }) => [option_value, value]));
  const originalOf = (value: string) => originals.get(value) ?? value;
  const labeled = values.filter(({ value, label }) => value !== label || ownLabels.has(originalOf(value)));
  const { name, label, measure, format } = variable;
  const described = { name, label, measure, ...(format === undefined ? {} : { format }) };
  if (imported.kind === 'number') {
    if (values.some(({ value }) => !Number.isFinite(Number(value)))) return null;
    const valueLabels = labeled.map((value): [number, string] => [Number(value.value), value.label]);
    const numeric = { ...described, type: 'number', valueLabels, ...numericMissing(imported) } as const;
    return { variable: numeric, read: (cell) => (cell === null ? null : Number(cell)) };
  }
  const widths = values.map(({ value }) => utf8(originalOf(value)).length);
  const widthBytes = Math.max(1, format?.width ?? 1, ...widths);
  const missing = (imported.missing ?? []).map(String).slice(0, MAX_MISSING_VALUES);
  const valueLabels = labeled.map((value): [string, string] => [originalOf(value.value), value.label]);
  return {
    variable: { ...described, type: 'string', widthBytes, valueLabels, missing },
    read: (cell) => (cell === null ? null : originalOf(String(cell))),
  };
}

/** The multiple-response sets of the exported questions, limited to the exported 0/1 columns. */
export function responseSetsOf(entries: readonly CatalogColumn[]): ResponseSet[] {
  const inFile = new Map(entries.map((entry) => [entry.spec.columnCode, savName(entry)]));
  const questions = new Set(
    entries.flatMap(({ origin }) => (origin.kind === 'question' ? [origin.questionColumns] : [])),
  );
  return [...questions].flatMap((questionColumns) =>
    questionColumns.sets.flatMap(({ columnCode, label }, index) => {
      const variables = binaryColumnsOfSet(questionColumns, index).flatMap(
        (member) => inFile.get(member.columnCode) ?? [],
      );
      const imported = questionColumns.question.settings.variable;
      const name = imported?.members === undefined ? columnCode : imported.name;
      const countedValue = imported === undefined ? 1 : countedNumber(imported);
      const ending = labelEnding(questionColumns.question, label);
      return variables.length === 0 ? [] : [{ name, label, labelEnding: ending, variables, countedValue }];
    }),
  );
}

const MAX_CHARACTER_BYTES = 4;
/** Derived texts have no maximum length; longer texts are truncated and reported. */
const DERIVED_BYTES = 4_096;
/** Maximum bytes of metadata texts. */
const METADATA_BYTES: ReadonlyMap<string, number> = new Map([
  ['submission_id', 100],
  ['external_id', 200 * MAX_CHARACTER_BYTES],
  ['language', 35],
  ['status_reason', 64],
  ['end_reason', 200 * MAX_CHARACTER_BYTES],
]);

/** Whether the column is written as a string. */
export function isTextColumn({ spec: { type } }: CatalogColumn): boolean {
  return type === 'text' || type === 'file' || type === 'multiple';
}

/** The maximum bytes of a text in this column by the settings of its question. */
export function maxTextBytes({ spec, origin }: CatalogColumn): number {
  if (origin.kind === 'metadata') return METADATA_BYTES.get(spec.columnCode) ?? DERIVED_BYTES;
  if (origin.kind === 'derived') return DERIVED_BYTES;
  const { question } = origin.questionColumns;
  return Math.min(MAX_STRING_BYTES, typeOf(question).spss.maxTextBytes(question));
}
