import type { NoAnswerChoice } from './no-answer.ts';
import type { VersionRange } from './option-absences.ts';
import { formatList, quote, unknownValue } from '../../lib/error-messages.ts';

export const COLUMN_TYPES = [
  /** One of `values`; the cell is the option_value. */
  'categorical',
  /** Several of `values`; the cell is an array of option_values. Only on request: files have one binary column per option. */
  'multiple',
  /** 0 or 1; missing if the question was not shown. */
  'binary',
  /** 1 is the best rank. */
  'rank',
  'number',
  'text',
  /** Formatted by its precision, such as YYYY-MM-DD. */
  'date',
  /** The cell holds file ids separated by semicolons. */
  'file',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Levels of measurement. Means, standard deviations and quantiles need ordinal or scale. */
export const MEASURES = ['nominal', 'ordinal', 'scale'] as const;
export type LevelOfMeasurement = (typeof MEASURES)[number];

export interface ColumnValue {
  /** The permanent option_code, which names columns and translations. */
  code: number;
  /** The option_value, as a string. */
  value: string;
  /** What means, expressions and statistics files use for it: see `withNumbers`. */
  number: number;
  label: string;
  /** Excluded from statistics although chosen ("don't know"). */
  missing: boolean;
}

/** A category as it is stored; its number follows from all categories of the column. */
export type StoredColumnValue = Omit<ColumnValue, 'number'>;

/** Describes one data column; the camelCase form of a grid column. */
export interface ColumnSpec {
  columnCode: string;
  label: string;
  /** The question of the column; null for metadata and most derived columns. */
  questionId: number | null;
  type: ColumnType;
  measure: LevelOfMeasurement;
  source: 'question' | 'metadata' | 'derived' | 'weight';
  /** The categories in order; also the labeled points of numbers (scale, nps). Otherwise empty. */
  values: ColumnValue[];
  /** The reasons that respondents can give instead of an answer. Absent: none. */
  noAnswers?: readonly NoAnswerChoice[];
  editable: boolean;
  retired: boolean;
  /** 0/1 columns of options only: the survey versions that ask the question without the option. Absent: none. */
  absentIn?: readonly VersionRange[];
  /** Sets only: the labels of the options that some survey versions do not offer. Absent: none. */
  sometimesAbsent?: readonly string[];
  /** Dates only. */
  precision: 'date' | 'datetime' | 'time' | 'month' | 'year' | null;
  /** Timestamps (metadata) only: IANA name of the time zone that defines their days. Date answers have no time zone. */
  timeZone?: string;
}

/** One value as sent to clients; null is missing. */
export type Cell = string | number | string[] | null;

const LISTED_VALUES = 10;

/** The message for a value that the column does not have. */
export function valueNotFound({ columnCode, values }: ColumnSpec, value: unknown): string {
  const accepted = formatList(values, LISTED_VALUES, (known) => quote(known.value));
  return unknownValue(value, `a value of ${columnCode}`, { accepted });
}

/** Separates the values of a multi-value cell in a file. */
export const LIST_SEPARATOR = ';';

/** Multiple choice with none ticked, in a file; an empty cell means no answer. */
export const NONE_TICKED = '[]';

/** Formats a list of values as one cell of a file: `1;3`, or `[]`. */
export function formatListCell(values: readonly string[]): string {
  return values.length === 0 ? NONE_TICKED : values.join(LIST_SEPARATOR);
}

/**
 * Whether the level of measurement allows means, standard deviations and quantiles. Ordinal and scale columns use the numbers of their
 * options; the mean of a 0/1 column is a share.
 */
export function allowsMeans({ type, measure }: Pick<ColumnSpec, 'type' | 'measure'>): boolean {
  if (type === 'binary') return true;
  return (type === 'categorical' || type === 'number' || type === 'rank') && measure !== 'nominal';
}
