import { formatCount, quote } from '../../lib/error-messages.ts';
import { columnLetters } from '../../lib/column-letters.ts';
import type { ColumnFacts } from './cell-value.ts';

/** Columns that a note names. */
const MAX_NAMED = 5;
const MAX_NAME_CHARACTERS = 60;

/** Says what was read in another way than it is shown, one note for each kind. `headers`: names of the columns. */
export function notesOnCells(columns: readonly ColumnFacts[], headers: readonly string[]): string[] {
  const nameOf = ({ column }: ColumnFacts) => {
    const header = headers[column] ?? '';
    return header === '' ? `column ${columnLetters(column)}` : quote(header.slice(0, MAX_NAME_CHARACTERS));
  };
  const note = (
    countOf: (facts: ColumnFacts) => number,
    text: (count: string, names: string, first: ColumnFacts) => string,
  ) => {
    const found = columns.filter((facts) => countOf(facts) > 0);
    const [first] = found;
    if (first === undefined) return [];
    const total = found.reduce((sum, facts) => sum + countOf(facts), 0);
    const names = found.slice(0, MAX_NAMED).map(nameOf).join(', ');
    const rest = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more columns` : '';
    return [text(formatCount(total, 'cell'), names + rest, first)];
  };
  return [
    ...note(
      ({ errors }) => errors,
      (count, names, { firstError, firstErrorRow, column }) =>
        `${count} with an error, such as ${firstError} in ${columnLetters(column)}${firstErrorRow}, left empty (${names})`,
    ),
    ...note(
      ({ uncalculated }) => uncalculated,
      (count, names) =>
        `${count} with a formula but no result, left empty (${names}): the file was never calculated; open it in a spreadsheet program and save it`,
    ),
    ...note(
      ({ notDates }) => notDates,
      (count, names, { firstNotDate }) =>
        `${count} with the format of a date but a number that is no date, such as ${firstNotDate}, left empty (${names})`,
    ),
    ...note(
      ({ lengths, numbers }) => (lengths > 0 ? numbers : 0),
      (count, names) =>
        `${count} with a plain number among lengths of time in seconds (${names}): check their unit`,
    ),
    ...note(
      ({ percents }) => percents,
      (count, names) => `${count} with a percentage, read as a fraction: 25% is 0.25 (${names})`,
    ),
    ...note(
      ({ padded }) => padded,
      (count, names) =>
        `${count} with zeros in front that only the number format shows, read as the number (${names}): store them as text to keep the zeros`,
    ),
  ];
}
