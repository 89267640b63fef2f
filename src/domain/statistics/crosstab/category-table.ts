import { addCounts, type Count } from '../count.ts';
import { type TableIndependence, testTableIndependence } from '../independence.ts';
import { codedMoments } from '../moments.ts';
import { type Axis, type AxisCategory } from './axis.ts';
import { type CellCounts, countCells } from './cell-counts.ts';
import { ColumnComparer } from './comparer.ts';
import { presentMean } from './mean-figure.ts';
import { collectTableNotes } from './notes.ts';
import {
  type CrosstabTable,
  type MeanRow,
  presentAxis,
  presentTableBase,
  presentCategory,
  presentChiSquare,
  presentTableColumn,
  type TableCell,
} from './table.ts';
import type { TableSettings } from './table-settings.ts';

const percent = (part: Count, whole: Count) => (whole.weight > 0 ? (100 * part.weight) / whole.weight : null);

/**
 * Tests the categories without nets and missing values. Returns null if respondents can be in several categories or there is nothing to
 * test.
 */
function testCategoryIndependence(
  rows: Axis,
  columns: Axis,
  { cells, counted }: CellCounts,
  isWeighted: boolean,
): TableIndependence | null {
  if (rows.overlaps || columns.overlaps) return null;
  const proper = ({ isNet, missing }: AxisCategory) => !isNet && !missing;
  const used = cells
    .filter((_, row) => proper(rows.categories[row]!))
    .map((row) => row.filter((_, column) => proper(columns.categories[column]!)));
  return testTableIndependence(used, isWeighted ? counted : null);
}

/** The mean of two codes is the share of the higher one and is tested as a share. */
function computeCodeMeans(
  rows: Axis,
  counts: CellCounts,
  comparer: ColumnComparer,
  isWeighted: boolean,
): MeanRow {
  const codes = rows.categories.map(({ isNet, missing, steps }) =>
    isNet || missing ? null : (steps[0]?.code ?? null),
  );
  const figure = (column: readonly Count[]) => presentMean(codedMoments(codes, column), isWeighted);
  const cells = counts.columns.map((_, index) => figure(counts.cells.map((row) => row[index]!)));
  const [low, high, ...others] = codes
    .flatMap((code, row) => (code === null ? [] : [{ code, row }]))
    .sort((a, b) => a.code - b.code);
  if (low === undefined || high === undefined || others.length > 0)
    return { total: figure(counts.rows), cells, ...comparer.compareMeans(cells) };
  const [rest, parts] = [counts.cells[low.row]!, counts.cells[high.row]!];
  const bases = parts.map((part, column) => addCounts(part, rest[column]!));
  return { total: figure(counts.rows), cells, ...comparer.compareShares(cells, parts, bases) };
}

/** Builds a table of categories by categories. Yields after each pass over the responses and after each row. */
export function* buildCategoryTable(
  rows: Axis,
  columns: Axis,
  settings: TableSettings,
): Generator<void, CrosstabTable> {
  const { statistics, counting, minBase } = settings;
  const isWeighted = counting.weights !== null;
  const counts = yield* countCells(rows, columns, counting);
  const comparer = new ColumnComparer(columns, settings);
  const cell = (part: Count, column: Count, row: Count): TableCell => ({
    count: part.count,
    weighted_count: isWeighted ? part.weight : null,
    ...(statistics.has('column_percent') && { column_percent: percent(part, column) }),
    ...(statistics.has('row_percent') && { row_percent: percent(part, row) }),
    ...(statistics.has('total_percent') && { total_percent: percent(part, counts.base) }),
  });
  const tableRows: CrosstabTable['rows'] = [];
  for (const [row, category] of rows.categories.entries()) {
    const total = counts.rows[row]!;
    const parts = counts.cells[row]!;
    const cells = parts.map((part, column) => cell(part, counts.columns[column]!, total));
    tableRows.push({
      ...presentCategory(category),
      base: presentTableBase(total),
      total: cell(total, counts.base, total),
      cells,
      ...comparer.compareShares(cells, parts, counts.columns),
    });
    yield;
  }
  const independence =
    statistics.has('chi_square') && columns.categories.length > 0
      ? testCategoryIndependence(rows, columns, counts, isWeighted)
      : undefined;
  return {
    row: presentAxis(rows, rows.overlaps ? 'multiple' : 'single'),
    column:
      columns.specs.length === 0 ? null : presentAxis(columns, columns.overlaps ? 'multiple' : 'single'),
    base: presentTableBase(counts.base),
    outside_base: counts.counted - counts.base.count,
    columns: columns.categories.map((each, index) => presentTableColumn(each, index, counts.columns[index]!)),
    rows: tableRows,
    mean:
      statistics.has('means') && rows.hasMean ? computeCodeMeans(rows, counts, comparer, isWeighted) : null,
    ...(independence !== undefined && { chi_square: presentChiSquare(independence) }),
    notes: collectTableNotes({
      rows,
      columns,
      compares: comparer.isEnabled,
      independence,
      minBase,
      bases: counts.columns.map(({ count }) => count),
    }),
  };
}
