import { noteAbsentOptions, noteNumbers } from '../../columns/column-notes.ts';
import { addCounts, type Count, NO_RESPONSES } from '../base.ts';
import { testIndependenceUnderDesign } from '../design/independence-under-design.ts';
import { type TableIndependence, testTableIndependence } from '../independence.ts';
import { codedMoments } from '../moments.ts';
import { type Axis, type AxisCategory, codingAt, type Region } from './axis.ts';
import { codeValues, crossRows, shareValues } from './axis-domains.ts';
import { CellPrecision } from './cell-precision.ts';
import { ColumnComparer } from './column-comparer.ts';
import { countCrossing, countInRegion, sumRegionRows, type TableRows, totalCount } from './count-crossing.ts';
import {
  collectTableNotes,
  type CrosstabTable,
  noteWithoutWeight,
  type MeanRow,
  presentAxis,
  presentCategory,
  presentChiSquare,
  presentTableBase,
  presentTableColumn,
  type RowSort,
  type TableCell,
  type TableRow,
  type TableSettings,
} from './table.ts';
import { TableEstimator } from './table-estimator.ts';

/** Counts of every pair of categories, and of their bases. */
interface CellCounts {
  /** By row, then column. */
  cells: Count[][];
  /** By row, within the base of the columns. */
  rows: Count[];
  /** By column, within the base of the rows. */
  columns: Count[];
  /** In both bases. */
  base: Count;
  /** All counted rows, in the base or not. */
  counted: number;
}

/** Groups regions by coding, each with its index; the base is last. */
function groupByCoding({ categories, base }: Axis): Map<number, { region: Region; index: number }[]> {
  const groups = new Map<number, { region: Region; index: number }[]>();
  [...categories.map(({ region }) => region), base].forEach((region, index) => {
    const group = groups.get(region.coding);
    if (group) group.push({ region, index });
    else groups.set(region.coding, [{ region, index }]);
  });
  return groups;
}

/** Passes over all responses once per pair of codings. Yields after each pass. */
export function* countCells(rows: Axis, columns: Axis, counting: TableRows): Generator<void, CellCounts> {
  const [height, width] = [rows.categories.length, columns.categories.length];
  const all: Count[][] = Array.from({ length: height + 1 }, () =>
    new Array<Count>(width + 1).fill(NO_RESPONSES),
  );
  let counted = 0;
  const columnGroups = groupByCoding(columns);
  for (const [rowCoding, rowRegions] of groupByCoding(rows)) {
    for (const [columnCoding, columnRegions] of columnGroups) {
      const crossing = countCrossing(codingAt(rows, rowCoding), codingAt(columns, columnCoding), counting);
      counted = totalCount(crossing);
      for (const row of rowRegions) {
        const slots = sumRegionRows(crossing, row.region);
        for (const column of columnRegions)
          all[row.index]![column.index] = countInRegion(slots, column.region);
      }
      yield;
    }
  }
  const last = all[height]!;
  return {
    cells: all.slice(0, height).map((row) => row.slice(0, width)),
    rows: all.slice(0, height).map((row) => row[width]!),
    columns: last.slice(0, width),
    base: last[width]!,
    counted,
  };
}

const percent = (part: Count, whole: Count) => (whole.weight > 0 ? (100 * part.weight) / whole.weight : null);

/** The categories that the test of independence is about. */
const isTested = ({ isNet, missing }: AxisCategory) => !isNet && !missing;

/**
 * Tests the categories without nets and missing values, under the design if there is one. Returns null if respondents can be in several
 * categories or there is nothing to test.
 */
function testCategoryIndependence(
  { rows, columns, counts: { cells, counted } }: { rows: Axis; columns: Axis; counts: CellCounts },
  { counting: { mask, weights }, sample }: TableSettings,
): TableIndependence | null {
  if (rows.overlaps || columns.overlaps) return null;
  const used = cells
    .filter((_, row) => isTested(rows.categories[row]!))
    .map((row) => row.filter((_, column) => isTested(columns.categories[column]!)));
  const design = sample?.design ?? null;
  const test = testTableIndependence(used, weights === null && design === null ? null : counted);
  if (design === null || test === null) return test;
  const table = crossRows({ rows, columns, mask }, isTested);
  const found = testIndependenceUnderDesign(design, table, (row) => mask[row] === 1);
  return found && { ...test, ...found };
}

/** The mean of two numbers is the share of the higher one and is tested as a share. */
function computeCodeMeans(
  { rows, counts }: { rows: Axis; counts: CellCounts },
  { comparer, estimator, precision, mask, size }: TableTools,
): MeanRow {
  const numbers = rows.categories.map(({ isNet, missing, steps }) =>
    isNet || missing ? null : (steps[0]?.number ?? null),
  );
  const estimates = estimator.estimate(() => codeValues(rows, numbers, mask));
  const figure = (column: readonly Count[], index: number) =>
    precision.presentMean(codedMoments(numbers, column), { row: estimates, index, size });
  const cells = counts.columns.map((_, index) =>
    figure(
      counts.cells.map((row) => row[index]!),
      index,
    ),
  );
  const total = figure(counts.rows, cells.length);
  const [low, high, ...others] = numbers
    .flatMap((number, row) => (number === null ? [] : [{ number, row }]))
    .sort((a, b) => a.number - b.number);
  if (low === undefined || high === undefined || others.length > 0)
    return { total, cells, ...comparer.compareMeans(cells, estimates) };
  const [rest, parts] = [counts.cells[low.row]!, counts.cells[high.row]!];
  const bases = parts.map((part, column) => addCounts(part, rest[column]!));
  const isHigh = numbers.map((number) => number && Number(number === high.number));
  const shares = estimator.estimate(() => codeValues(rows, isHigh, mask));
  const scale = high.number - low.number;
  return { total, cells, ...comparer.compareShares(cells, { counts: parts, bases, scale }, shares) };
}

/** Sorts rows within their outer categories; missing ones and nets stay last. */
function sortRows(rows: readonly TableRow[], sort: RowSort = 'questionnaire'): TableRow[] {
  if (sort === 'questionnaire') return [...rows];
  const groups = new Map<string, number>();
  const groupOf = ({ categories }: TableRow): number => {
    const key = JSON.stringify(categories.slice(0, -1));
    if (!groups.has(key)) groups.set(key, groups.size);
    return groups.get(key) ?? 0;
  };
  const ranked = rows.map((row, position) => ({
    row,
    position,
    group: groupOf(row),
    rank: Number(row.missing) + 2 * Number(row.is_net),
  }));
  const distanceOf = (a: TableRow, b: TableRow): number => {
    if (sort === 'label') return a.label.localeCompare(b.label, 'en', { numeric: true });
    return (sort === 'lowest' ? 1 : -1) * (a.base.weighted - b.base.weighted);
  };
  return ranked
    .toSorted(
      (a, b) => a.group - b.group || a.rank - b.rank || distanceOf(a.row, b.row) || a.position - b.position,
    )
    .map(({ row }) => row);
}

/** What computes the figures of a table. */
interface TableTools {
  comparer: ColumnComparer;
  estimator: TableEstimator;
  precision: CellPrecision;
  mask: Uint8Array;
  /** Counted responses; null: unweighted. */
  size: number | null;
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
  const estimator = new TableEstimator(columns, settings);
  const precision = new CellPrecision(settings.sample);
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
    const estimates = estimator.estimate(() => shareValues(rows, category.region, counting.mask));
    const precisionOf = (part: Count, base: Count, index: number) =>
      precision.ofShare({ part, base }, estimates, index);
    const cells = parts.map((part, column): TableCell => {
      const base = counts.columns[column]!;
      return { ...cell(part, base, total), ...precisionOf(part, base, column) };
    });
    tableRows.push({
      ...presentCategory(category),
      base: presentTableBase(total),
      total: { ...cell(total, counts.base, total), ...precisionOf(total, counts.base, parts.length) },
      cells,
      ...comparer.compareShares(cells, { counts: parts, bases: counts.columns }, estimates),
    });
    yield;
  }
  const independence =
    statistics.has('chi_square') && columns.categories.length > 0
      ? testCategoryIndependence({ rows, columns, counts }, settings)
      : undefined;
  yield;
  const tools = {
    comparer,
    estimator,
    precision,
    mask: counting.mask,
    size: isWeighted ? counts.counted : null,
  };
  const mean = statistics.has('means') && rows.hasMean ? computeCodeMeans({ rows, counts }, tools) : null;
  return {
    row: presentAxis(rows, rows.overlaps ? 'multiple' : 'single'),
    column:
      columns.specs.length === 0 ? null : presentAxis(columns, columns.overlaps ? 'multiple' : 'single'),
    base: presentTableBase(counts.base),
    outside_base: counts.counted - counts.base.count,
    columns: columns.categories.map((each, index) => presentTableColumn(each, index, counts.columns[index]!)),
    rows: sortRows(tableRows, settings.sort),
    mean,
    ...(independence !== undefined && { chi_square: presentChiSquare(independence) }),
    notes: [
      ...collectTableNotes({
        rows,
        columns,
        compares: comparer.isEnabled,
        independence,
        minBase,
        bases: counts.columns,
        isWeighted,
        hasDesign: settings.sample?.design != null,
        testsOverlaps: settings.testsOverlaps,
        lacksEarlierWave: comparer.lacksEarlierWave,
      }),
      ...(mean === null ? [] : rows.specs.flatMap(noteNumbers)),
      ...[...rows.specs, ...columns.specs].flatMap(noteAbsentOptions),
      ...noteWithoutWeight(settings),
    ],
  };
}
