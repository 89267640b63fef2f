import type { ColumnNote } from '../../columns/column-notes.ts';
import { type Count, effectiveCount, NO_RESPONSES } from '../base.ts';
import {
  columnLetter,
  type CompareSettings,
  MIN_LINEARIZED_BASE,
  type TestedPair,
} from '../compare-pairs.ts';
import { MIN_EXPECTED, type TableIndependence } from '../independence.ts';
import { type Axis, type AxisCategory, columnCodesOf } from './axis.ts';
import { countRowsWithoutWeight, type TableRows } from './count-crossing.ts';
import type { Precision, ShareIntervalSettings } from '../design/precision.ts';
import type { SampleDesign } from '../design/sample-design.ts';
import type { MeanFigure } from '../moments.ts';
import { WAVE_COMPARISONS, type WaveStart } from './wave-pairs.ts';

/** A table in the form of API replies. Percents are 0 to 100, weighted if a weight is used; null if the base is empty. */
export interface CrosstabTable {
  row: TableAxis;
  /** Null: only the total. */
  column: TableAxis | null;
  /** Respondents in the base of both the rows and the columns. */
  base: TableBase;
  /** Counted responses outside the base. */
  outside_base: number;
  columns: TableColumn[];
  rows: TableRow[];
  mean: MeanRow | null;
  /** Only if they were requested. */
  row_statistics?: StatisticRow[];
  chi_square?: TableChiSquare | null;
  notes: TableNote[];
}

interface TableAxis {
  column_codes: string[];
  label: string;
  type: 'single' | 'multiple' | 'number';
}

interface TableBase {
  unweighted: number;
  weighted: number;
  effective: number;
}

interface TableCategory {
  label: string;
  is_net: boolean;
  missing: boolean;
  /** One per nested variable, outermost first. */
  categories: {
    column_code: string;
    code: number | null;
    value: string | null;
    label: string;
    /** The values of a net, otherwise null. */
    values: string[] | null;
  }[];
}

interface TableColumn extends TableCategory {
  letter: string;
  /** Respondents in the base of the rows. */
  base: TableBase;
}

/** The difference between a cell and what it is compared with, in percentage points or in the unit of the means. */
export interface CellComparison {
  /** Positive if the cell is higher. */
  difference: number;
  t: number;
  df: number;
  /** Two-sided, adjusted. */
  p_value: number;
  /** Null: not significant. */
  direction: 'higher' | 'lower' | null;
  /** The highest level at which it is significant, in percent. */
  level: number | null;
  /** The letter of the column of an earlier wave. */
  column?: string;
}

/** Null: not tested. */
export type CellComparisons = Partial<Record<Exclude<ComparedWith, 'columns'>, CellComparison | null>>;

/** A cell with what it is compared with. */
export interface ComparedCell {
  letters?: string[];
  comparisons?: CellComparisons;
}

/** The precision is that of the column percentage, only if intervals were requested. */
export interface TableCell extends Partial<Precision>, ComparedCell {
  count: number;
  weighted_count: number | null;
  column_percent?: number | null;
  row_percent?: number | null;
  total_percent?: number | null;
}

/** A test of two columns, identified by their letters. */
interface TableTest {
  columns: [string, string];
  t: number;
  df: number;
  p_value: number;
}

export interface TableRow extends TableCategory {
  /** Respondents in the base of the columns. */
  base: TableBase;
  total: TableCell;
  cells: TableCell[];
  tests?: TableTest[];
}

export interface MeanRow {
  total: MeanFigure;
  cells: (MeanFigure & ComparedCell)[];
  tests?: TableTest[];
}

/** Rows of statistics below a table. Boxes are percentages of the highest or lowest points of a scale. */
export const ROW_STATISTICS = [
  'mean',
  'median',
  'sd',
  'se',
  'sum',
  'nps',
  'top_1',
  'top_2',
  'top_3',
  'bottom_1',
  'bottom_2',
  'bottom_3',
  'index',
] as const;
export type RowStatistic = (typeof ROW_STATISTICS)[number];

/** A statistic of the respondents of a column with a value. */
export interface StatisticCell extends Partial<Precision>, ComparedCell {
  value: number | null;
  /** Respondents with a value. */
  count: number;
  weighted_count: number | null;
}

/** A row of statistics in the form of API replies. */
export interface StatisticRow {
  statistic: RowStatistic;
  total: StatisticCell;
  cells: StatisticCell[];
  tests?: TableTest[];
}

/** See TableIndependence. */
export interface TableChiSquare {
  test: TableIndependence['test'];
  statistic: number;
  df: number;
  df2: number | null;
  p_value: number;
  cramers_v: number;
  uncorrected: { statistic: number; df: number } | null;
  fisher_p_value: number | null;
  smallest_expected: number;
  expected_below_5: number;
}

/** Nested variables are labeled `outer > inner`. */
export function presentAxis(axis: Pick<Axis, 'specs'>, type: TableAxis['type']): TableAxis {
  return {
    column_codes: columnCodesOf(axis),
    label: axis.specs.map(({ label }) => label).join(' > '),
    type,
  };
}

/** The unweighted, weighted and effective base. */
export function presentTableBase(count: Count): TableBase {
  return { unweighted: count.count, weighted: count.weight, effective: effectiveCount(count) };
}

/** A row, or a column without its letter. */
export function presentCategory({ steps, isNet, missing }: AxisCategory): TableCategory {
  return {
    label: steps.map(({ label }) => label).join(' > '),
    is_net: isNet,
    missing,
    categories: steps.map(({ columnCode, code, value, label, values }) => {
      return { column_code: columnCode, code, value, label, values: values === null ? null : [...values] };
    }),
  };
}

/** The column at `index` (from 0), with its letter. */
export function presentTableColumn(category: AxisCategory, index: number, base: Count): TableColumn {
  return { letter: columnLetter(index), ...presentCategory(category), base: presentTableBase(base) };
}

/** The tests behind the letters, significant or not. */
export function presentTests(pairs: readonly TestedPair[]): TableTest[] {
  return pairs.map(({ first, second, t, df, pValue }) => {
    return { columns: [columnLetter(first), columnLetter(second)], t, df, p_value: pValue };
  });
}

/** Returns null if there was nothing to test. */
export function presentChiSquare(independence: TableIndependence | null): TableChiSquare | null {
  if (independence === null) return null;
  const { test, statistic, df, df2, pValue, cramersV, uncorrected, fisherPValue, expected } = independence;
  return {
    test,
    statistic,
    df,
    df2,
    p_value: pValue,
    cramers_v: cramersV,
    uncorrected,
    fisher_p_value: fisherPValue,
    smallest_expected: expected.smallest,
    expected_below_5: expected.cellsBelow,
  };
}

/** Figures of one chart. */
export const MAX_CELLS = 5_000;
/** Of one table, including nets. */
export const MAX_ROWS = 500;
export const MAX_COLUMNS = 200;
/** Cells of all tables of one request together, with the totals. */
export const MAX_CELLS_IN_ALL = 100_000;
/** Columns of one table that are compared. */
const MAX_COMPARED = 40;
/** Distinct values that can be categories, for a column without a value list. */
export const MAX_OBSERVED = 100;

/** Optional figures beside counts and bases. `tests` are the figures behind the letters. */
export const STATISTICS = [
  'column_percent',
  'row_percent',
  'total_percent',
  'chi_square',
  'letters',
  'means',
  'tests',
] as const;
export type Statistic = (typeof STATISTICS)[number];

/** The sample behind the figures of a table. */
export interface TableSample {
  /** The design of the survey with its data; null: the weights alone, or a simple random sample. */
  design: SampleDesign | null;
  /** With weights alone: respondents with a weight, in the table or not. Null: the respondents of each figure are a simple random sample. */
  size: number | null;
  /** Null: without intervals. */
  intervals: ShareIntervalSettings | null;
}

/** What the cells of a column are compared with. Other columns give letters. */
export const COMPARED_WITH = ['columns', 'total', 'rest', ...WAVE_COMPARISONS] as const;
export type ComparedWith = (typeof COMPARED_WITH)[number];

/** The order of rows: `highest` and `lowest` by the total. Nets stay last, and nested rows within their outer categories. */
export const ROW_SORTS = ['questionnaire', 'highest', 'lowest', 'label'] as const;
export type RowSort = (typeof ROW_SORTS)[number];

/** The settings for building a table. */
export interface TableSettings extends Pick<CompareSettings, 'minBase' | 'correction' | 'levels'> {
  statistics: ReadonlySet<Statistic>;
  counting: TableRows;
  /** Absent: without intervals and design. */
  sample?: TableSample | null;
  /** Absent: only with other columns. */
  compareWith?: ReadonlySet<ComparedWith>;
  /** Whether columns that share respondents, such as options of a multiple choice, are tested with each other. Default: false. */
  testsOverlaps?: boolean;
  /** Default: as in the questionnaire. */
  sort?: RowSort;
  /** All waves of the survey in the order of time, for comparisons with earlier waves. */
  waves?: readonly WaveStart[];
}

/** Whether columns are compared with each other. */
export const comparesColumns = ({ statistics, compareWith }: TableSettings): boolean =>
  (statistics.has('letters') || statistics.has('tests')) && compareWith?.has('columns') !== false;

/** Whether columns share respondents and are tested all the same. */
export const comparesOverlaps = ({ categories }: Axis, { testsOverlaps = false }: TableSettings): boolean =>
  testsOverlaps && categories.some(({ overlapFamily }) => overlapFamily != null);

/** Why a figure of a table is missing, or how to interpret it. */
export interface TableNote {
  code:
    | 'chi_square_overlap'
    | 'chi_square_not_computed'
    | 'design_not_used'
    | 'outside_design'
    | 'parts_not_compared'
    | 'rao_scott'
    | 'small_expected'
    | 'columns_overlap'
    | 'overlap_tested'
    | 'no_earlier_wave'
    | 'columns_hidden'
    | 'columns_merged'
    | 'nets_not_compared'
    | 'small_base'
    | 'small_effective_base'
    | 'too_many_columns'
    | 'without_weight'
    | ColumnNote['code'];
  message: string;
}

const isComparable =
  (testsOverlaps: boolean) =>
  ({ family, overlapFamily }: AxisCategory): boolean =>
    family !== null || (testsOverlaps && overlapFamily != null);

/** With more columns, nothing is compared: the letters would be unreadable and the number of tests quadratic. */
export function hasTooManyColumns(
  { categories }: Axis,
  { testsOverlaps = false }: Pick<TableSettings, 'testsOverlaps'>,
): boolean {
  return categories.filter(isComparable(testsOverlaps)).length > MAX_COMPARED;
}

interface TableNotesInput {
  rows: Pick<Axis, 'overlaps'> | null;
  columns: Axis;
  compares: boolean;
  /** Undefined: not requested; null: nothing to test. */
  independence: TableIndependence | null | undefined;
  minBase: number;
  /** By column. */
  bases: readonly Count[];
  isWeighted: boolean;
  /** Whether the figures are estimated under the design of the survey. Default: false. */
  hasDesign?: boolean;
  testsOverlaps?: boolean | undefined;
  /** Whether earlier waves were requested, and none has respondents. Default: false. */
  lacksEarlierWave?: boolean;
}

function smallExpected({ test, fisherPValue, expected }: TableIndependence, hasDesign: boolean): string {
  const { cellsBelow, cells, smallest } = expected;
  const found =
    `${cellsBelow} of ${cells} cells ${cellsBelow === 1 ? 'has' : 'have'} an expected count below ${MIN_EXPECTED} ` +
    `(the smallest is ${smallest.toFixed(1)}), so the chi-square test is only approximate`;
  if (test === 'rao_scott_f')
    return `${found}; ${hasDesign ? 'a table under a sampling design' : 'a weighted table'} has no exact test.`;
  if (fisherPValue === null) return `${found}; combine rare categories.`;
  const exact = fisherPValue < 0.001 ? 'p < 0.001' : `p = ${fisherPValue.toFixed(3)}`;
  return `${found}; Fisher's exact test gives ${exact}.`;
}

/** The note that respondents are left out because they lack a weight, or are not in the design. */
export function noteWithoutWeight({
  counting,
  sample,
}: Pick<TableSettings, 'counting' | 'sample'>): TableNote[] {
  const count = countRowsWithoutWeight(counting);
  if (count === 0) return [];
  const [responses, have, are] = count === 1 ? ['response', 'has', 'is'] : ['responses', 'have', 'are'];
  if (sample?.design != null) {
    const message = `${count} ${responses} ${have} no weight, stratum or cluster of the sampling design and ${are} left out.`;
    return [{ code: 'outside_design', message }];
  }
  return [
    { code: 'without_weight', message: `${count} ${responses} ${have} no weight and ${are} left out.` },
  ];
}

/** All notes of a table, in a fixed order. */
export function collectTableNotes({
  rows,
  columns,
  compares,
  independence,
  minBase,
  bases,
  isWeighted,
  hasDesign = false,
  testsOverlaps = false,
  lacksEarlierWave = false,
}: TableNotesInput): TableNote[] {
  const notes: TableNote[] = [];
  const note = (code: TableNote['code'], message: string) => notes.push({ code, message });
  const overlaps = columns.overlaps || (rows?.overlaps ?? false);
  const { categories } = columns;
  if (independence !== undefined && overlaps) {
    note('chi_square_overlap', 'No chi-square: a respondent may be in several rows or columns.');
  } else if (independence) {
    if (independence.test === 'rao_scott_f') {
      const reason = hasDesign
        ? 'table is corrected for the sampling design'
        : 'weighted table is corrected for the weights';
      note(
        'rao_scott',
        `The chi-square of the ${reason} (Rao and Scott, second order); its statistic is an F.`,
      );
    }
    if (independence.expected.cellsBelow > 0) note('small_expected', smallExpected(independence, hasDesign));
  } else if (independence === null && hasDesign && categories.length > 1) {
    note(
      'chi_square_not_computed',
      'No chi-square: the table has fewer than two rows or columns with respondents, too few clusters, or more than 2,000 cells.',
    );
  }
  if (lacksEarlierWave)
    note('no_earlier_wave', 'No column has an earlier wave with respondents to compare it with.');
  if (!compares || categories.length === 0) return notes;
  const isCompared = isComparable(testsOverlaps);
  if (testsOverlaps && categories.some(({ overlapFamily }) => overlapFamily != null)) {
    note(
      'overlap_tested',
      'Columns share respondents (multiple response); their tests allow for it by the covariance.',
    );
  } else if (categories.some(({ family, isNet, missing }) => family === null && !isNet && !missing)) {
    note('columns_overlap', 'No letters: the columns share respondents (multiple response).');
  }
  if (categories.some((category) => !isCompared(category) && category.isNet)) {
    note('nets_not_compared', 'Nets get no letters: they share respondents with their categories.');
  }
  if (hasTooManyColumns(columns, { testsOverlaps })) {
    note('too_many_columns', `No letters: only up to ${MAX_COMPARED} columns are compared with each other.`);
  } else if (
    categories.some((category, index) => isCompared(category) && (bases[index]?.count ?? 0) < minBase)
  ) {
    note('small_base', `Columns with a base under ${minBase} respondents are not compared.`);
  }
  const hasSmallEffectiveBase = categories.some(({ family }, index) => {
    const base = bases[index] ?? NO_RESPONSES;
    return family !== null && base.count >= minBase && effectiveCount(base) < MIN_LINEARIZED_BASE;
  });
  if (isWeighted && !hasDesign && hasSmallEffectiveBase) {
    note(
      'small_effective_base',
      `Columns with an effective base under ${MIN_LINEARIZED_BASE} are compared by their effective bases, an approximation.`,
    );
  }
  return notes;
}
