import type { CatalogColumn } from '../../domain/dataset/columns/column-catalog.ts';
import type { Cell } from '../../domain/dataset/columns/column-spec.ts';
import { utf8 } from './bytes.ts';
import { MAX_MISSING_VALUES } from './limits.ts';
import type { SavCell, SavVariable } from './sav-variable.ts';

interface SavColumn {
  variable: SavVariable;
  read: (cell: Cell) => SavCell;
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
export function countedNumber({ counted }: Pick<ImportedSettings, 'counted'>): number {
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
export function restoreImported(entry: CatalogColumn, converted: SavColumn): SavColumn {
  const imported = importedSettings(entry);
  const { spec, origin } = entry;
  if (imported === undefined || origin.kind !== 'question') return converted;
  const member = importedMember(entry, imported);
  if (member !== undefined && converted.variable.type === 'number') {
    const { name, label, format, other } = member;
    const counted = countedNumber(imported);
    const read = (cell: Cell) => (cell === null ? null : Number(cell) === 1 ? counted : other);
    return { variable: { ...converted.variable, name, label, format, valueLabels: [] }, read };
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
  if (converted.variable.type === 'string')
    return { ...converted, variable: { ...converted.variable, ...described } };
  return { ...converted, variable: { ...converted.variable, ...described, ...numericMissing(imported) } };
}

function numericMissing({ missing, missing_range: range }: ImportedSettings) {
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
): SavColumn | null {
  // A category without an imported label has its value as label.
  const labelled = values.filter(({ value, label }) => value !== label);
  const { name, label, measure, format } = variable;
  const described = { name, label, measure, ...(format === undefined ? {} : { format }) };
  if (imported.kind === 'number') {
    if (values.some(({ value }) => !Number.isFinite(Number(value)))) return null;
    const valueLabels = labelled.map((value): [number, string] => [Number(value.value), value.label]);
    const numeric = { ...described, type: 'number', valueLabels, ...numericMissing(imported) } as const;
    return { variable: numeric, read: (cell) => (cell === null ? null : Number(cell)) };
  }
  const widths = values.map(({ value }) => utf8(value).length);
  const widthBytes = Math.max(1, format?.width ?? 1, ...widths);
  const missing = (imported.missing ?? []).map(String).slice(0, MAX_MISSING_VALUES);
  const valueLabels = labelled.map((value): [string, string] => [value.value, value.label]);
  return {
    variable: { ...described, type: 'string', widthBytes, valueLabels, missing },
    read: (cell) => (cell === null ? null : String(cell)),
  };
}
