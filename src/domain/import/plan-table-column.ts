import { LIST_SEPARATOR, NONE_TICKED } from '../dataset/columns/list-cell.ts';
import type { ColumnScan } from './column-scan.ts';
import { unescapeFormula } from './match-columns.ts';
import {
  toStorableNumber,
  toStorableText,
  maxTextLength,
  type PlannedVariable,
  questionText,
} from './planned-variable.ts';
import { parseNumber } from './read-cell.ts';
import type { SourceCell, SourceColumn } from './source-file.ts';

/** Integers with at most this many distinct values are categories if each occurs twice on average. */
export const MAX_NUMBER_CATEGORIES = 12;
const MAX_TEXT_CATEGORIES = 50;
export const MAX_CATEGORY_CHARACTERS = 200;

/** Plans a question for a column without a dictionary from its values and their distinct count. */
export function planTableColumn(
  { header, label }: Pick<SourceColumn, 'header' | 'label'>,
  scan: ColumnScan,
  { isCsv, decimalComma }: { isCsv: boolean; decimalComma: boolean },
): PlannedVariable {
  const plain = (cell: SourceCell) => (isCsv && typeof cell === 'string' ? unescapeFormula(cell) : cell);
  const base = { use: 'question' as const, notes: [] as string[] };
  const text = questionText(label ?? unescapeFormula(header), header);
  const question = { question_text: text, question_settings: {}, options: [] };
  if (scan.filled === 0) {
    const notes = ['is empty: taken as a text'];
    return { ...base, notes, question: { ...question, question_type: 'text' }, convert: () => null };
  }
  const precision = scan.allDates ? 'date' : scan.allDatetimes ? 'datetime' : scan.allClocks ? 'time' : null;
  if (precision !== null) {
    const question_settings = { precision };
    return { ...base, question: { ...question, question_type: 'date', question_settings }, convert: plain };
  }
  const several = scan.allNumbers ? null : scan.multiAnswers();
  if (several !== null) {
    const options = several.answers.map((answer, i) => ({
      option_label: answer,
      option_value: answer,
      option_code: i + 1,
    }));
    const convert = (cell: SourceCell) => {
      const text = cell === null ? '' : String(plain(cell)).trim();
      return text === NONE_TICKED ? text : several.split(text).join(LIST_SEPARATOR) || null;
    };
    const notes = [
      `its cells hold several of ${options.length} answers that recur: taken as a multiple choice`,
    ];
    return { ...base, notes, question: { ...question, question_type: 'multiple_choice', options }, convert };
  }
  const values = [...(scan.distinct?.keys() ?? [])];
  const isCategories = scan.allNumbers
    ? scan.allIntegers && values.length <= MAX_NUMBER_CATEGORIES && scan.filled >= 2 * values.length
    : values.length <= MAX_TEXT_CATEGORIES &&
      scan.filled >= 3 * values.length &&
      scan.longestCharacters <= MAX_CATEGORY_CHARACTERS;
  if (scan.distinct !== null && isCategories) {
    const options = categoriesOf(values, scan.allNumbers);
    const convert = (cell: SourceCell) => (cell === null ? null : String(plain(cell)).trim() || null);
    const notes = [`has ${options.length} different values: taken as categories`];
    if (scan.allNumbers)
      notes.push('is nominal: set question_settings.measure to ordinal or scale for means');
    return { ...base, notes, question: { ...question, question_type: 'single_choice', options }, convert };
  }
  if (scan.allNumbers) {
    const question_settings = { decimals: scan.decimals };
    const convert = (cell: SourceCell) => {
      const value = cell === null ? null : parseNumber(plain(cell)!, decimalComma);
      return value === null ? null : toStorableNumber(value);
    };
    return { ...base, question: { ...question, question_type: 'number', question_settings }, convert };
  }
  const question_settings = { max_length: maxTextLength(scan.longestCharacters) };
  const convert = (cell: SourceCell) => toStorableText(plain(cell));
  return { ...base, question: { ...question, question_type: 'text', question_settings }, convert };
}

function categoriesOf(values: readonly SourceCell[], areNumbers: boolean) {
  const texts = [...new Set(values.map((value) => String(value).trim().normalize('NFC')))].filter(
    (text) => text !== '',
  );
  return sortedCategories(texts, areNumbers).map((text) => ({ option_label: text, option_value: text }));
}

/** Sorts numbers by value and texts by code point. */
export function sortedCategories(texts: string[], areNumbers: boolean): string[] {
  return areNumbers
    ? texts.sort((a, b) => Number(a) - Number(b))
    : texts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
