import { limitReached } from '../../../lib/error-messages.ts';
import { unprocessable } from '../../../lib/errors.ts';
import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Base } from '../base.ts';
import { type Axis, codingAt, columnCodesOf, emptyAxis, type Net, type Region } from './axis.ts';
import { buildCategoryTable } from './category-table.ts';
import { ColumnComparer, countColumns } from './column-comparer.ts';
import { countTableRows, type TableRows } from './count-crossing.ts';
import {
  collectTableNotes,
  type CrosstabTable,
  MAX_CELLS_IN_ALL,
  MAX_COLUMNS,
  MAX_ROWS,
  noteWithoutWeight,
  presentAxis,
  presentTableBase,
  presentTableColumn,
  type RowStatistic,
  type TableNote,
  type TableSample,
  type TableSettings,
} from './table.ts';
import type { ValueMoments } from '../moments.ts';
import {
  computeSlotMoments,
  momentsInRegion,
  type SlotMoments,
  withoutMissingCodes,
} from './slot-moments.ts';
import { CellPrecision } from './cell-precision.ts';
import { computeRowStatistics, readNumberRow } from './row-statistics.ts';
import { reduceColumns, type SmallColumns } from './small-columns.ts';
import { TableEstimator } from './table-estimator.ts';
import { createVariableAxis, isMeasure, nestAxes } from './variable-axis.ts';

/**
 * Builds a table of one row: the mean of a number in each column. Its base are the respondents with a value, regardless of the requested
 * base.
 */
function* buildMeanTable(
  dataset: Dataset,
  { entry, columns }: { entry: CatalogColumn; columns: Axis },
  settings: TableSettings,
): Generator<void, CrosstabTable> {
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') throw new Error(`${entry.spec.columnCode} is stored as ${column.kind}`);
  const { counting, minBase } = settings;
  const counted = countTableRows(counting);
  const designSize = counting.weights === null ? null : counted;
  const values = withoutMissingCodes(column, entry.spec, counting.mask.length);
  const momentsOf = new Map<number, SlotMoments>();
  for (const coding of new Set(
    [columns.base, ...columns.categories.map(({ region }) => region)].map(codingOf),
  )) {
    momentsOf.set(coding, computeSlotMoments(values, codingAt(columns, coding), counting));
    yield;
  }
  const within = (region: Region) => {
    const moments = momentsOf.get(region.coding);
    if (moments === undefined) throw new RangeError(`The coding ${region.coding} was not computed`);
    return momentsInRegion(moments, region);
  };
  const total = within(columns.base);
  const parts = columns.categories.map((category) => ({ category, moments: within(category.region) }));
  const precision = new CellPrecision(settings.sample);
  const estimates = new TableEstimator(columns, settings).estimate(() =>
    Float64Array.from(counting.mask, (counts, row) => (counts === 1 ? (values[row] ?? NaN) : NaN)),
  );
  const figure = (moments: ValueMoments, index: number) =>
    precision.presentMean(moments, { row: estimates, index, size: designSize });
  const cells = parts.map(({ moments }, index) => figure(moments, index));
  const comparer = new ColumnComparer(columns, settings);
  return {
    row: presentAxis({ specs: [entry.spec] }, 'number'),
    column:
      columns.specs.length === 0 ? null : presentAxis(columns, columns.overlaps ? 'multiple' : 'single'),
    base: presentTableBase(total),
    outside_base: counted - total.count,
    columns: parts.map(({ category, moments }, index) => presentTableColumn(category, index, moments)),
    rows: [],
    mean: { total: figure(total, cells.length), cells, ...comparer.compareMeans(cells, estimates) },
    notes: [
      ...collectTableNotes({
        rows: null,
        columns,
        compares: comparer.isEnabled,
        independence: undefined,
        minBase,
        bases: parts.map(({ moments }) => moments),
        isWeighted: designSize !== null,
        hasDesign: settings.sample?.design != null,
        testsOverlaps: settings.testsOverlaps,
        lacksEarlierWave: comparer.lacksEarlierWave,
      }),
      ...noteWithoutWeight(settings),
    ],
  };
}

const codingOf = ({ coding }: Region): number => coding;

/** A variable, or several nested, outermost first. */
export type Nesting = readonly CatalogColumn[];

export interface CrosstabPlan extends Omit<TableSettings, 'counting' | 'sample'> {
  /** Each is crossed with each of `columns`. */
  rows: readonly Nesting[];
  /** Shown side by side; empty: only the total. */
  columns: readonly Nesting[];
  nets: readonly Net[];
  base: Base;
  /** Amounts and dates of `columns` are grouped in at most this many groups. Default: they are refused. */
  maxGroups?: number | undefined;
  /** The same for `rows`. Default: amounts are a row of means, dates are refused. */
  maxRowGroups?: number | undefined;
  /** Default: they are shown. */
  smallColumns?: SmallColumns | undefined;
  /** Of single variables with a mean. Default: none. */
  rowStatistics?: readonly RowStatistic[] | undefined;
}

/** The largest product of row and column slots for one pass over the responses. */
const MAX_SLOTS = 500_000;

function tooLarge(message: string) {
  return unprocessable('crosstab_too_large', message);
}

/** Rejects tables that are too large before counting. */
function checkSize(rows: Axis, columns: Axis): number {
  const names = (axis: Axis) => columnCodesOf(axis).join(' > ') || 'total';
  const [height, width] = [rows.categories.length, columns.categories.length];
  const table = `${names(rows)} by ${names(columns)}`;
  if (height > MAX_ROWS)
    throw tooLarge(
      `${table} has ${height} rows; ${limitReached({ owner: 'a table', max: MAX_ROWS, unit: 'row' })}`,
    );
  if (width > MAX_COLUMNS) {
    const limit = limitReached({ owner: 'a table', max: MAX_COLUMNS, unit: 'column' });
    throw tooLarge(`${table} has ${width} columns; ${limit}`);
  }
  const widest = ({ codings }: Axis) => Math.max(...codings.map(({ size }) => size));
  if (widest(rows) * widest(columns) > MAX_SLOTS) {
    throw tooLarge(`${table} is nested too deep for its many categories`);
  }
  return height * (width + 1);
}

/**
 * Computes tables of every row variable by every column variable. Yields between steps, so that the caller can run other tasks; see
 * Dataset for the changes that can happen between steps. Throws 422 for a variable without categories and for tables that are too large,
 * and 400 for a net with unknown values. The columns must be loaded.
 *
 * @param sample with a design, `counting` has its weights
 */
export function* computeCrosstabs(
  dataset: Dataset,
  plan: CrosstabPlan,
  counting: TableRows,
  sample: TableSample | null = null,
): Generator<void, CrosstabTable[]> {
  const { mask } = counting;
  const settings = { base: plan.base, nets: plan.nets, mask };
  function* axisOf(nesting: Nesting, position: string, maxGroups?: number): Generator<void, Axis> {
    let axis: Axis | undefined;
    for (const [level, entry] of nesting.entries()) {
      const isNested = nesting.length > 1;
      const field = isNested ? `${position}[${level}]` : position;
      const one = createVariableAxis(dataset, entry, isNested, { ...settings, field, maxGroups });
      axis = axis === undefined ? one : nestAxes(axis, one, mask.length);
      yield;
    }
    return axis ?? emptyAxis(mask.length);
  }

  const columnAxes: { columns: Axis; notes: TableNote[] }[] = [];
  for (const [index, nesting] of plan.columns.entries()) {
    const columns = yield* axisOf(nesting, `columns[${index}]`, plan.maxGroups);
    const { smallColumns } = plan;
    columnAxes.push(
      smallColumns === undefined
        ? { columns, notes: [] }
        : reduceColumns(columns, countColumns(columns, counting), smallColumns),
    );
  }
  if (columnAxes.length === 0) columnAxes.push({ columns: emptyAxis(mask.length), notes: [] });

  const tables: CrosstabTable[] = [];
  const table = { ...plan, counting, sample };
  let cells = 0;
  for (const [index, nesting] of plan.rows.entries()) {
    const [first] = nesting;
    const isNumber = nesting.length === 1 && first !== undefined;
    const rows =
      isNumber && isMeasure(first) && plan.maxRowGroups === undefined
        ? { measure: first }
        : { axis: yield* axisOf(nesting, `rows[${index}]`, plan.maxRowGroups) };
    const numbers = isNumber && plan.rowStatistics !== undefined ? readNumberRow(dataset, first, mask) : null;
    for (const { columns, notes } of columnAxes) {
      cells += 'measure' in rows ? columns.categories.length + 1 : checkSize(rows.axis, columns);
      if (cells > MAX_CELLS_IN_ALL) {
        throw tooLarge(`the tables have more than ${MAX_CELLS_IN_ALL} cells together; ask for fewer at once`);
      }
      const built =
        'measure' in rows
          ? yield* buildMeanTable(dataset, { entry: rows.measure, columns }, table)
          : yield* buildCategoryTable(rows.axis, columns, table);
      const statistics = plan.rowStatistics ?? [];
      tables.push({
        ...built,
        ...(plan.rowStatistics !== undefined && {
          row_statistics:
            numbers === null
              ? []
              : yield* computeRowStatistics(numbers, columns, { settings: table, statistics }),
        }),
        notes: [...built.notes, ...notes],
      });
    }
  }
  return tables;
}
