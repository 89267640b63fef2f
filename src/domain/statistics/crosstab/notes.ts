import type { Axis } from './axis.ts';
import { MAX_COMPARED } from './limits.ts';

/** Why a figure of a table is missing, or how it is to be read. */
export interface Note {
  code:
    | 'chi_square_scaled'
    | 'chi_square_overlap'
    | 'columns_overlap'
    | 'nets_not_compared'
    | 'small_base'
    | 'too_many_columns';
  message: string;
}

/** Beyond so many columns nothing is compared: their letters would no longer be read, and the tests are their square. */
export function areTooMany(columns: Axis): boolean {
  return columns.categories.filter(({ family }) => family !== null).length > MAX_COMPARED;
}

interface Noted {
  rows: Pick<Axis, 'overlaps'> | null;
  columns: Axis;
  compares: boolean;
  hasChiSquare: boolean;
  isWeighted: boolean;
  minBase: number;
  /** By column, unweighted. */
  bases: readonly number[];
}

/** Everything that a reader of the table has to know, in a fixed order. */
export function notesOf({
  rows,
  columns,
  compares,
  hasChiSquare,
  isWeighted,
  minBase,
  bases,
}: Noted): Note[] {
  const notes: Note[] = [];
  const note = (code: Note['code'], message: string) => notes.push({ code, message });
  const overlaps = columns.overlaps || (rows?.overlaps ?? false);
  const { categories } = columns;
  if (hasChiSquare && overlaps) {
    note('chi_square_overlap', 'No chi-square: a respondent may be in several rows or columns.');
  } else if (hasChiSquare && isWeighted) {
    note(
      'chi_square_scaled',
      'The weighted table is scaled to the effective base before chi-square is computed.',
    );
  }
  if (!compares || categories.length === 0) return notes;
  if (categories.some(({ family, isNet, missing }) => family === null && !isNet && !missing)) {
    note('columns_overlap', 'No letters: the columns share respondents (multiple response).');
  }
  if (categories.some(({ family, isNet }) => family === null && isNet)) {
    note('nets_not_compared', 'Nets get no letters: they share respondents with their categories.');
  }
  if (areTooMany(columns)) {
    note('too_many_columns', `No letters: only up to ${MAX_COMPARED} columns are compared with each other.`);
  } else if (categories.some(({ family }, place) => family !== null && bases[place]! < minBase)) {
    note('small_base', `Columns with a base under ${minBase} respondents are not compared.`);
  }
  return notes;
}
