import { noteAbsentOptions, noteNumbers } from '../../columns/column-notes.ts';
import { addCounts, type Count, NO_RESPONSES } from '../base.ts';
import {
  compareMeans,
  compareProportions,
  type CompareSettings,
  type Comparison,
  toComparedMean,
} from '../compare-pairs.ts';
import { type TableIndependence, testTableIndependence } from '../independence.ts';
import { codedMoments, type MeanFigure, presentMean } from '../moments.ts';
import { type Axis, type AxisCategory, codingAt, emptyAxis, type Region } from './axis.ts';
import {
  countCrossing,
  countInRegion,
  countTableRows,
  sumRegionRows,
  type TableRows,
  totalCount,
} from './count-crossing.ts';
import {
  collectTableNotes,
  type CrosstabTable,
  hasTooManyColumns,
  noteWithoutWeight,
  type MeanRow,
  presentAxis,
  presentCategory,
  presentChiSquare,
  presentTableBase,
  presentTableColumn,
  presentTests,
  type TableCell,
  type TableSettings,
} from './table.ts';

/** Compares the columns of a table. Does nothing if neither letters nor tests are requested. */
export class ColumnComparer {
  readonly isEnabled: boolean;
  readonly #statistics: TableSettings['statistics'];
  readonly #settings: CompareSettings;

  constructor(columns: Axis, { statistics, minBase, correction, counting }: TableSettings) {
    this.#statistics = statistics;
    this.isEnabled = statistics.has('letters') || statistics.has('tests');
    const comparable = this.isEnabled && !hasTooManyColumns(columns);
    const families = columns.categories.map(({ family }) => (comparable ? family : null));
    this.#settings = { minBase, correction, families };
    if (comparable && counting.weights !== null)
      this.#settings.design = {
        size: countTableRows(counting),
        columnSizes: countColumns(columns, counting),
      };
  }

  /** Adds letters to a row of shares, or of means that are shares. Returns the tests if requested. */
  compareShares(cells: { letters?: string[] }[], counts: readonly Count[], bases: readonly Count[]) {
    if (!this.isEnabled) return {};
    const columns = counts.map((part, index) => ({ base: bases[index]!, part }));
    return this.#addLetters(compareProportions(columns, this.#settings), cells);
  }

  /** Adds letters to the row of means. */
  compareMeans(cells: MeanFigure[]) {
    if (!this.isEnabled) return {};
    const columns = cells.map(toComparedMean);
    return this.#addLetters(compareMeans(columns, this.#settings), cells);
  }

  #addLetters({ letters, pairs }: Comparison, cells: { letters?: string[] }[]) {
    if (this.#statistics.has('letters')) cells.forEach((cell, index) => (cell.letters = letters[index]!));
    return this.#statistics.has('tests') ? { tests: presentTests(pairs) } : {};
  }
}

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

/** The counted respondents in each category of the columns, whatever their answers in the rows. */
function countColumns(columns: Axis, counting: TableRows): number[] {
  const { codings } = emptyAxis(counting.mask.length);
  const crossings = new Map<number, ReturnType<typeof countCrossing>>();
  return columns.categories.map(({ region }) => {
    let crossing = crossings.get(region.coding);
    if (crossing === undefined) {
      crossing = countCrossing(codings[0]!, codingAt(columns, region.coding), counting);
      crossings.set(region.coding, crossing);
    }
    return countInRegion(crossing, region).count;
  });
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

/**
 * Tests the categories without nets and missing values. Returns null if respondents can be in several categories or there is nothing to
 * test.
 */
function testCategoryIndependence({
  rows,
  columns,
  counts: { cells, counted },
  isWeighted,
}: {
  rows: Axis;
  columns: Axis;
  counts: CellCounts;
  isWeighted: boolean;
}): TableIndependence | null {
  if (rows.overlaps || columns.overlaps) return null;
  const proper = ({ isNet, missing }: AxisCategory) => !isNet && !missing;
  const used = cells
    .filter((_, row) => proper(rows.categories[row]!))
    .map((row) => row.filter((_, column) => proper(columns.categories[column]!)));
  return testTableIndependence(used, isWeighted ? counted : null);
}

/** The mean of two numbers is the share of the higher one and is tested as a share. */
function computeCodeMeans(
  rows: Axis,
  counts: CellCounts,
  { comparer, designSize }: { comparer: ColumnComparer; designSize: number | null },
): MeanRow {
  const numbers = rows.categories.map(({ isNet, missing, steps }) =>
    isNet || missing ? null : (steps[0]?.number ?? null),
  );
  const figure = (column: readonly Count[]) => presentMean(codedMoments(numbers, column), designSize);
  const cells = counts.columns.map((_, index) => figure(counts.cells.map((row) => row[index]!)));
  const [low, high, ...others] = numbers
    .flatMap((number, row) => (number === null ? [] : [{ number, row }]))
    .sort((a, b) => a.number - b.number);
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
      ? testCategoryIndependence({ rows, columns, counts, isWeighted })
      : undefined;
  const mean =
    statistics.has('means') && rows.hasMean
      ? computeCodeMeans(rows, counts, { comparer, designSize: isWeighted ? counts.counted : null })
      : null;
  return {
    row: presentAxis(rows, rows.overlaps ? 'multiple' : 'single'),
    column:
      columns.specs.length === 0 ? null : presentAxis(columns, columns.overlaps ? 'multiple' : 'single'),
    base: presentTableBase(counts.base),
    outside_base: counts.counted - counts.base.count,
    columns: columns.categories.map((each, index) => presentTableColumn(each, index, counts.columns[index]!)),
    rows: tableRows,
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
      }),
      ...(mean === null ? [] : rows.specs.flatMap(noteNumbers)),
      ...[...rows.specs, ...columns.specs].flatMap(noteAbsentOptions),
      ...noteWithoutWeight(counting),
    ],
  };
}
