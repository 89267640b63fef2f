import type { CatalogColumn } from '../../domain/dataset/columns/column-catalog.ts';
import type { Cell, ColumnSpec } from '../../domain/dataset/columns/column-spec.ts';
import { formatListCell } from '../../domain/dataset/columns/list-cell.ts';
import { isTimestamp } from '../file-column.ts';
import type { LocalTimestamps } from '../local-timestamps.ts';
import { labelEnding } from './fit-labels.ts';
import { restoreImported } from './imported-variable.ts';
import type { NumericVariable, SavCell, SavVariable } from './sav-variable.ts';
import { userMissing } from './user-missing.ts';

interface SavColumn {
  variable: SavVariable;
  read: (cell: Cell) => SavCell;
}

/**
 * Converts a column to an SPSS variable: a category becomes its option_code with the label, a date the SPSS type of its precision (a month
 * its first day, shown as MMM YYYY; a year a number), other types stay unchanged. `widthBytes` applies to texts.
 */
export function toSavColumn(
  entry: CatalogColumn,
  widthBytes: number,
  timestamps: LocalTimestamps,
): SavColumn {
  return restoreImported(entry, convertColumn(entry, widthBytes, timestamps));
}

function convertColumn(entry: CatalogColumn, widthBytes: number, timestamps: LocalTimestamps): SavColumn {
  const { spec } = entry;
  const { columnCode: name, label, measure } = spec;
  const ending =
    entry.origin.kind === 'question' ? labelEnding(entry.origin.questionColumns.question, label) : undefined;
  const described = { name, label, labelEnding: ending, measure };
  switch (spec.type) {
    case 'categorical': {
      const codes = new Map(spec.values.map(({ value, code }) => [value, code]));
      const valueLabels = spec.values.map(({ code, label }) => [code, label] as const);
      return {
        variable: { ...described, type: 'number', valueLabels, ...userMissing(spec.values) },
        read: (cell) => (cell === null ? null : (codes.get(String(cell)) ?? String(cell))),
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
  if (question.type === 'number') return question.settings.decimals;
  if (question.type !== 'scale' && question.type !== 'slider') return 0;
  const { min, step } = question.settings;
  return Math.max(digitsAfterPoint(min), digitsAfterPoint(step));
}

function digitsAfterPoint(value: number): number {
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
}
