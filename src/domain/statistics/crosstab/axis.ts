import type { ColumnSpec, ColumnValue } from '../../dataset/columns/column-spec.ts';
import type { Coding, Region } from './coding.ts';

/** A value of a variable. Texts found in the data have no code. */
export interface AxisValue extends Omit<ColumnValue, 'code'> {
  code: number | null;
}

/** A category of one variable, or a net of several. */
export interface CategoryStep {
  columnCode: string;
  /** Null for a net. */
  code: number | null;
  value: string | null;
  label: string;
  /** The values of a net. */
  values: readonly string[] | null;
}

/** One row or column of a table. */
export interface AxisCategory {
  /** One per nested variable, outermost first. */
  steps: readonly CategoryStep[];
  region: Region;
  /** Contains options flagged as missing. */
  missing: boolean;
  isNet: boolean;
  /** Categories of the same family share no respondents and can be compared; null: never compared. */
  family: number | null;
}

/** The rows or columns of a table: one variable, or several nested. */
export interface Axis {
  specs: readonly ColumnSpec[];
  codings: readonly Coding[];
  categories: readonly AxisCategory[];
  /** The base of the percents. */
  base: Region;
  /** Whether a respondent can be in several categories, even without nets. */
  overlaps: boolean;
  /** Whether the codes of the categories have a mean. */
  hasMean: boolean;
}

/** A requested net: several categories of a variable under one label. */
export interface Net {
  columnCode: string;
  label: string;
  values: readonly string[];
  /** The path of its values in the request. */
  field: string;
}

/** An axis without categories: all rows are in the base. */
export function emptyAxis(rowCount: number): Axis {
  return {
    specs: [],
    codings: [{ indices: new Int16Array(rowCount), offset: 0, size: 1 }],
    categories: [],
    base: { coding: 0, slots: [0] },
    overlaps: false,
    hasMean: false,
  };
}

/** The column codes of the axis variables, outermost first. */
export const columnCodesOf = ({ specs }: Pick<Axis, 'specs'>): string[] =>
  specs.map(({ columnCode }) => columnCode);
