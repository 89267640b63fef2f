import { type Count, effectiveCount } from '../base.ts';
import { columnLetter, type TestedPair } from '../compare-pairs.ts';
import type { TableIndependence } from '../independence.ts';
import { type Axis, type AxisCategory, columnCodesOf } from './axis.ts';
import type { MeanFigure } from './mean-figure.ts';
import type { TableNote } from './notes.ts';

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

export interface TableCell {
  count: number;
  weighted_count: number | null;
  column_percent?: number | null;
  row_percent?: number | null;
  total_percent?: number | null;
  letters?: string[];
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
  cells: MeanFigure[];
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
