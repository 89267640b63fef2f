import { type TableIndependence, MIN_EXPECTED } from '../independence.ts';
import type { Axis } from './axis.ts';
import { MAX_COMPARED } from './limits.ts';

/** Why a figure of a table is missing, or how to interpret it. */
export interface TableNote {
  code:
    | 'chi_square_overlap'
    | 'parts_not_compared'
    | 'rao_scott'
    | 'small_expected'
    | 'columns_overlap'
    | 'nets_not_compared'
    | 'small_base'
    | 'too_many_columns';
  message: string;
}

/** With more columns, nothing is compared: the letters would be unreadable and the number of tests quadratic. */
export function hasTooManyColumns(columns: Axis): boolean {
  return columns.categories.filter(({ family }) => family !== null).length > MAX_COMPARED;
}

interface TableNotesInput {
  rows: Pick<Axis, 'overlaps'> | null;
  columns: Axis;
  compares: boolean;
  /** Undefined: not requested; null: nothing to test. */
  independence: TableIndependence | null | undefined;
  minBase: number;
  /** By column, unweighted. */
  bases: readonly number[];
}

function smallExpected({ test, fisherPValue, expected }: TableIndependence): string {
  const { cellsBelow, cells, smallest } = expected;
  const found =
    `${cellsBelow} of ${cells} cells ${cellsBelow === 1 ? 'has' : 'have'} an expected count below ${MIN_EXPECTED} ` +
    `(the smallest is ${smallest.toFixed(1)}), so the chi-square test is only approximate`;
  if (test === 'rao_scott_f') return `${found}; a weighted table has no exact test.`;
  if (fisherPValue === null) return `${found}; combine rare categories.`;
  const exact = fisherPValue < 0.001 ? 'p < 0.001' : `p = ${fisherPValue.toFixed(3)}`;
  return `${found}; Fisher's exact test gives ${exact}.`;
}

/** All notes of a table, in a fixed order. */
export function collectTableNotes({
  rows,
  columns,
  compares,
  independence,
  minBase,
  bases,
}: TableNotesInput): TableNote[] {
  const notes: TableNote[] = [];
  const note = (code: TableNote['code'], message: string) => notes.push({ code, message });
  const overlaps = columns.overlaps || (rows?.overlaps ?? false);
  const { categories } = columns;
  if (independence !== undefined && overlaps) {
    note('chi_square_overlap', 'No chi-square: a respondent may be in several rows or columns.');
  } else if (independence) {
    if (independence.test === 'rao_scott_f') {
      note(
        'rao_scott',
        'The chi-square of the weighted table is corrected for the weights (Rao and Scott, second order); its statistic is an F.',
      );
    }
    if (independence.expected.cellsBelow > 0) note('small_expected', smallExpected(independence));
  }
  if (!compares || categories.length === 0) return notes;
  if (categories.some(({ family, isNet, missing }) => family === null && !isNet && !missing)) {
    note('columns_overlap', 'No letters: the columns share respondents (multiple response).');
  }
  if (categories.some(({ family, isNet }) => family === null && isNet)) {
    note('nets_not_compared', 'Nets get no letters: they share respondents with their categories.');
  }
  if (hasTooManyColumns(columns)) {
    note('too_many_columns', `No letters: only up to ${MAX_COMPARED} columns are compared with each other.`);
  } else if (categories.some(({ family }, index) => family !== null && bases[index]! < minBase)) {
    note('small_base', `Columns with a base under ${minBase} respondents are not compared.`);
  }
  return notes;
}
