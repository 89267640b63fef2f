import { MISSING } from './cell-outcome.ts';
import type { SourceCell, SourceFile, SourceRow } from './source-file.ts';

/**
 * Texts that programs write for a missing value, in lower case: R and pandas (NA, NaN, NULL, None, <NA>), SAS, SPSS and Stata (a point, also
 * with a letter), errors of spreadsheets (#N/A, #VALUE! …), and signs that people type (-, –, —, --, ?, .., …).
 */
const MARKS = new Set([
  'na',
  'n/a',
  'n.a.',
  'n.a',
  '<na>',
  'nan',
  '-nan',
  '-nan(ind)',
  '1.#qnan',
  '-1.#ind',
  '#na',
  '#n/a',
  '#n/a n/a',
  'null',
  'none',
  'nil',
  '#null!',
  '#value!',
  '#div/0!',
  '#ref!',
  '#name?',
  '#num!',
  '(null)',
  '\\n',
  '.',
  '..',
  '…',
  '...',
  '-',
  '--',
  '---',
  '–',
  '—',
  '?',
  '*',
  'missing',
  'sysmis',
]);
/** Missing values with a reason in SAS and Stata: `.a` to `.z`, and `._`. */
const REASONED = /^\.[a-z_]$/i;
/** "No date" of MySQL and other programs. */
const ZERO_DATE = /^0000-00-00([T ]00:00(:00)?)?$/;

/** Whether the text of a cell in a column of numbers or dates means "missing". White space does. */
export function isMissingMark(text: string): boolean {
  const trimmed = text.trim();
  return (
    trimmed === '' || MARKS.has(trimmed.toLowerCase()) || REASONED.test(trimmed) || ZERO_DATE.test(trimmed)
  );
}

/** Returns the file without the cells whose text is declared to be missing, in any column. */
export function withoutDeclaredMissing(file: SourceFile, declared: readonly string[]): SourceFile {
  if (declared.length === 0) return file;
  const texts = new Set(declared.map((text) => text.trim()));
  const isDeclared = (cell: SourceCell) => cell !== null && texts.has(String(cell).trim());
  const withoutMissing = (row: SourceRow): SourceRow => {
    const { cells, source = cells } = row;
    if (!cells.some(isDeclared)) return row;
    const outcomes = new Map(row.outcomes);
    cells.forEach((cell, index) => {
      if (isDeclared(cell)) outcomes.set(index, MISSING);
    });
    return { ...row, source, outcomes, cells: cells.map((cell) => (isDeclared(cell) ? null : cell)) };
  };
  return {
    ...file,
    async *rows() {
      for await (const rows of file.rows()) yield rows.map(withoutMissing);
    },
  };
}
