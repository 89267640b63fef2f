import { formatOptionCode } from '../answers/codec.ts';
import { LIST_SEPARATOR, NONE_TICKED } from '../dataset/columns/column-spec.ts';
import type { ColumnScan } from './column-scan.ts';
import type { QuestionType } from '../questions/registry.ts';
import { unescapeFormula } from './match-columns.ts';
import { parseNumber } from './read-cell.ts';
import type { ColumnRole, SourceCell, SourceColumn } from './source-file.ts';

interface PlannedOption {
  option_label: string;
  option_value: string;
  option_code?: number;
  option_missing?: boolean;
}

/** A question in the survey file format, without its code. */
export interface PlannedQuestion {
  question_type: QuestionType;
  question_text: string;
  question_settings: Record<string, unknown>;
  options: PlannedOption[];
}

/** The plan for one file column. */
export type PlannedVariable = {
  /** Decisions and losses, for the report. */
  notes: string[];
  /** Converts a file cell for the new column; `cells`: its row. */
  convert: (cell: SourceCell, cells: readonly SourceCell[]) => SourceCell;
} &
  /** `suffixes`: follow the question code in the codes of further columns of the question. */
  (
    | { use: 'question'; question: PlannedQuestion; suffixes?: string[] }
    | { use: 'option' | 'row' | 'cell'; question: PlannedQuestion }
    /** One of the answers of a multiple choice, whose column combines all answers. */
    | { use: 'answer'; question: PlannedQuestion }
    | { use: 'metadata'; role: ColumnRole }
    | { use: 'nothing' }
  );

/** Several file columns as one question. */
export interface PlannedGroup {
  question: PlannedQuestion;
  use: 'option' | 'row' | 'cell';
  /** `suffix`: follows the question code in the column code. */
  members: { index: number; suffix: string; convert: PlannedVariable['convert'] }[];
}

const MAX_LABEL_CHARACTERS = 1_000;
export const MAX_TEXT_CHARACTERS = 20_000;

/** Returns a valid option label; the value if it is empty. */
export function optionLabel(label: string, value: string): string {
  return label.trim().slice(0, MAX_LABEL_CHARACTERS).toWellFormed() || value;
}

/** Returns the label or name as question text, truncated to the maximum; never empty. */
export function questionText(label: string | null, name: string): string {
  return ((label ?? '').trim() || name.trim() || 'Question').slice(0, 10_000).toWellFormed();
}

/** Makes a text storable. */
export function toStorableText(cell: SourceCell): SourceCell {
  if (cell === null) return null;
  return String(cell).replaceAll('\0', '').slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

/** Rounds a number to ten decimals; null if it exceeds exact integers. */
function toStorableNumber(value: number): number | null {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  return Number.isInteger(value) ? value : Number(value.toFixed(10));
}

/** Returns the max_length of a text question whose longest text has `longest` UTF-16 units, with room to edit. */
export function maxTextLength(longest: number): number {
  return Math.min(MAX_TEXT_CHARACTERS, Math.max(2_000, longest));
}

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
    const suffixes = options.map(({ option_code: code }) => `_${formatOptionCode(code)}`);
    const planned = { ...question, question_type: 'multiple_choice' as const, options };
    return { ...base, notes, question: planned, suffixes, convert };
  }
  const values = [...(scan.distinct?.keys() ?? [])];
  const isCategories = scan.allNumbers
    ? scan.allIntegers && values.length <= MAX_NUMBER_CATEGORIES && scan.filled >= 2 * values.length
    : values.length <= MAX_TEXT_CATEGORIES &&
      scan.filled >= 3 * values.length &&
      scan.longestCharacters <= MAX_CATEGORY_CHARACTERS;
  if (scan.distinct !== null && isCategories) {
    const options = categoriesOfValues(values, scan.allNumbers);
    const convert = (cell: SourceCell) => (cell === null ? null : String(plain(cell)).trim() || null);
    const notes = [`has ${options.length} different values: taken as categories`];
    if (scan.allNumbers)
      notes.push('is nominal: set question_settings.measure to ordinal or scale for means');
    return { ...base, notes, question: { ...question, question_type: 'single_choice', options }, convert };
  }
  if (scan.allNumbers) {
    const question_settings = { decimals: scan.decimals };
    const convert = (cell: SourceCell) => {
      const plainCell = plain(cell);
      const value = plainCell === null ? null : parseNumber(plainCell, decimalComma);
      return value === null ? null : toStorableNumber(value);
    };
    return { ...base, question: { ...question, question_type: 'number', question_settings }, convert };
  }
  const question_settings = { max_length: maxTextLength(scan.longestCharacters) };
  const convert = (cell: SourceCell) => toStorableText(plain(cell));
  return { ...base, question: { ...question, question_type: 'text', question_settings }, convert };
}

function categoriesOfValues(values: readonly SourceCell[], areNumbers: boolean) {
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
