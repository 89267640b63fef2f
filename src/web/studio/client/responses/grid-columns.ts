import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import { studioTypeOf } from '../question-types/registry.ts';

type Column = Schema<'Column'>;
type Cell = Schema<'ResponseRow'>['values'][string];

const t = texts.responses;
const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6, useGrouping: false });

/**
 * Returns the codes of the columns that the table and the single response show: those of questions, and derived ones. The 0/1 columns
 * of a multiple choice are replaced with the set that combines them, whose code is that of the question.
 */
export function shownColumnCodes(
  columns: readonly Column[],
  questions: readonly { question_id: number; question_type: QuestionType; question_code: string }[],
): string[] {
  const setCodes = new Map(
    questions
      .filter((question) => studioTypeOf(question).isSet)
      .map(({ question_id: id, question_code: code }) => [id, code]),
  );
  const codes = columns
    .filter(({ source, retired }) => source !== 'metadata' && !retired)
    .map(({ column_code: code, question_id: id, type }) =>
      id === null || type !== 'binary' ? code : (setCodes.get(id) ?? code),
    );
  return [...new Set(codes)];
}

const labelOf = (column: Column, value: string): string =>
  column.values.find((each) => each.value === value)?.label ?? value;

/** The text of a cell: labels instead of option values. Empty: no answer. */
export function formatCell(column: Column, cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) {
    return cell.length === 0 ? t.none : cell.map((value) => labelOf(column, value)).join(', ');
  }
  if (column.type === 'binary') return Number(cell) === 1 ? t.yes : t.no;
  if (typeof cell === 'number') return number.format(cell);
  return column.type === 'categorical' ? labelOf(column, cell) : cell;
}

/** The reason that the respondent gave instead of an answer in the column; empty: none. */
export function reasonText(column: Column, row: Schema<'ResponseRow'>): string {
  const reason = row.no_answers?.[column.column_code];
  return column.no_answers?.find((choice) => choice.reason === reason)?.label ?? '';
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The English name of a language tag. */
export const languageName = (tag: string): string => languageNames.of(tag) ?? tag;

/** A duration in words: seconds up to two minutes, then minutes and seconds, then hours and minutes. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 2) return t.units.seconds(whole);
  if (minutes < 60) return `${t.units.minutes(minutes)} ${t.units.seconds(whole % 60)}`;
  return `${t.units.hours(Math.floor(minutes / 60))} ${t.units.minutes(minutes % 60)}`;
}

/** The `sort` of the API after a click on the header of a column: ascending, then descending, then the order of arrival. */
export function nextSort(sort: string | null, code: string): string | null {
  if (sort === code) return `-${code}`;
  return sort === `-${code}` ? null : code;
}
