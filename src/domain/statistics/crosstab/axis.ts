import type { ColumnSpec, ColumnValue } from '../../dataset/columns/column-spec.ts';
import type { Coding, Region } from './coding.ts';

/** One of a variable's values; a text that was found in the data has no code. */
export interface AxisValue extends Omit<ColumnValue, 'code'> {
  code: number | null;
}

/** A category of one variable, or a net: several of them under one name. */
export interface CategoryStep {
  columnCode: string;
  /** Null for a net. */
  code: number | null;
  value: string | null;
  label: string;
  /** What a net puts together. */
  values: readonly string[] | null;
}

/** One row or column of a table. */
export interface AxisCategory {
  /** One per nested variable, the outermost first. */
  steps: readonly CategoryStep[];
  region: Region;
  /** Holds options that are flagged as missing. */
  missing: boolean;
  isNet: boolean;
  /** Categories of one family share no respondents and may be compared; null: to be compared with none. */
  family: number | null;
}

/** The rows or the columns of a table: a variable, or several nested. */
export interface Axis {
  specs: readonly ColumnSpec[];
  codings: readonly Coding[];
  categories: readonly AxisCategory[];
  /** Of whom the percents are. */
  base: Region;
  /** A respondent may be in several categories even without nets. */
  overlaps: boolean;
  /** Do the codes of the categories have a mean? */
  hasMean: boolean;
}

/** Several categories of a variable under one name, as asked for. */
export interface Net {
  columnCode: string;
  label: string;
  values: readonly string[];
  /** Where its values stand in the client's input. */
  field: string;
}

/** No columns at all: everybody is in the one slot of the base. */
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

/** Of its variables, the outermost first. */
export const columnCodesOf = ({ specs }: Pick<Axis, 'specs'>): string[] =>
  specs.map(({ columnCode }) => columnCode);
