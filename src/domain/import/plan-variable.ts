import { formatCount, quote } from '../../lib/error-messages.ts';
import { truncateText } from '../../lib/truncate-text.ts';
import { formatOptionCode } from '../questions/answers/codec.ts';
import { LIST_SEPARATOR, NONE_TICKED } from '../columns/column-spec.ts';
import type { ColumnScan } from './column-scan.ts';
import type { QuestionType } from '../questions/registry.ts';
import { readDateText } from '../questions/types/date.ts';
import { MAX_DECIMALS } from '../questions/types/number.ts';
import { MAX_TEXT_CHARACTERS } from '../questions/types/text.ts';
import { ConvertedCell, MISSING_CELL, unreadableCell } from './cell-outcome.ts';
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
  convert: (cell: SourceCell, cells: readonly SourceCell[]) => SourceCell | ConvertedCell;
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

/** Of options and rows. */
export const MAX_LABEL_CHARACTERS = 1_000;
const MAX_QUESTION_CHARACTERS = 10_000;

/** Notes on labels of a column that are too long to be kept whole: its own as a question text, others as labels of options and rows. */
export function notesOnLongLabels(label: string | null, others: readonly string[] = []): string[] {
  const length = (label ?? '').trim().length;
  const long = others.filter((other) => other.trim().length > MAX_LABEL_CHARACTERS).length;
  return [
    ...(length > MAX_QUESTION_CHARACTERS
      ? [`has a label of ${length} characters: the first ${MAX_QUESTION_CHARACTERS} are kept`]
      : []),
    ...(long > 0
      ? [
          `has ${formatCount(long, 'label')} of more than ${MAX_LABEL_CHARACTERS} characters: the first ${MAX_LABEL_CHARACTERS} are kept`,
        ]
      : []),
  ];
}

/** Returns a valid option label; the value if it is empty. */
export function optionLabel(label: string, value: string): string {
  return truncateText(label.trim(), MAX_LABEL_CHARACTERS).toWellFormed() || value;
}

/** Returns the label or name as question text, truncated to the maximum; never empty. */
export function questionText(label: string | null, name: string): string {
  return truncateText(
    (label ?? '').trim() || name.trim() || 'Question',
    MAX_QUESTION_CHARACTERS,
  ).toWellFormed();
}

/** Makes a text storable. */
export function toStorableText(cell: SourceCell): SourceCell | ConvertedCell {
  if (cell === null) return null;
  const text = String(cell);
  if (text.length > MAX_TEXT_CHARACTERS)
    return unreadableCell(
      `has ${text.length} characters, at most ${MAX_TEXT_CHARACTERS} are stored; shorten the text`,
    );
  const storable = text.replaceAll('\0', '').toWellFormed();
  return storable === text
    ? text
    : new ConvertedCell(storable, { kind: 'changed', reason: 'has characters that are no text' });
}

/** Returns the max_length of a text question whose longest text has `longest` UTF-16 units, with room to edit. */
export function maxTextLength(longest: number): number {
  return Math.min(MAX_TEXT_CHARACTERS, Math.max(2_000, longest));
}

/** Integers with at most this many distinct values are categories if each occurs twice on average. */
export const MAX_NUMBER_CATEGORIES = 12;
const MAX_TEXT_CATEGORIES = 50;
const MAX_QUOTED = 50;
/** Maximum share of texts in a column that was probably meant to have numbers. */
const MAX_OTHERS_SHARE = 0.1;
export const MAX_CATEGORY_CHARACTERS = 200;

/** Plans a question for a column without a dictionary from its values and their distinct count. */
export function planTableColumn(
  { header, label }: Pick<SourceColumn, 'header' | 'label'>,
  scan: ColumnScan,
): PlannedVariable {
  const base = { use: 'question' as const, notes: notesOnReading(scan) };
  const question = { question_text: questionText(label, header), question_settings: {}, options: [] };
  if (scan.filled === 0) {
    const notes = ['is empty: taken as a text'];
    return { ...base, notes, question: { ...question, question_type: 'text' }, convert: () => null };
  }
  const { precision } = scan.moments;
  if (precision !== null) {
    const planned = { ...question, question_type: 'date' as const, question_settings: { precision } };
    return { ...base, question: planned, convert: (cell) => convertMoment(cell, precision, scan) };
  }
  const several = scan.allNumbers ? null : scan.multiAnswers();
  if (several !== null) {
    const options = several.answers.map((answer, i) => ({
      option_label: answer,
      option_value: answer,
      option_code: i + 1,
    }));
    const convert = (cell: SourceCell) => {
      const text = cell === null ? '' : String(cell).trim();
      if (cell === null || text === NONE_TICKED) return cell;
      return several.split(text).join(LIST_SEPARATOR) || MISSING_CELL;
    };
    const notes = [
      `its cells hold several of ${options.length} answers that recur: taken as a multiple choice`,
    ];
    const suffixes = options.map(({ option_code: code }) => `_${formatOptionCode(code)}`);
    const planned = { ...question, question_type: 'multiple_choice' as const, options };
    return { ...base, notes, question: planned, suffixes, convert };
  }
  const options = categoriesOfColumn(scan);
  if (options !== null) {
    base.notes.push(`has ${options.length} different values: taken as categories`);
    if (scan.allNumbers)
      base.notes.push('is nominal: set question_settings.measure to ordinal or scale for means');
    const convert = (cell: SourceCell) => {
      if (cell === null) return null;
      return scan.isMissing(cell) ? MISSING_CELL : (categoryOf(cell, scan) ?? MISSING_CELL);
    };
    return { ...base, question: { ...question, question_type: 'single_choice', options }, convert };
  }
  if (scan.allNumbers) {
    const question_settings = { decimals: Math.min(MAX_DECIMALS, scan.decimals) };
    const convert = (cell: SourceCell) => {
      if (cell === null) return null;
      return scan.isMissing(cell) ? MISSING_CELL : scan.numbers.convert(cell);
    };
    return { ...base, question: { ...question, question_type: 'number', question_settings }, convert };
  }
  const question_settings = { max_length: maxTextLength(scan.longestCharacters) };
  return {
    ...base,
    question: { ...question, question_type: 'text', question_settings },
    convert: toStorableText,
  };
}

/** Plans a number question for a column of a workbook with lengths of time; null for other columns. */
export function planLengths(
  { header, label, times }: Pick<SourceColumn, 'header' | 'label' | 'times'>,
  scan: ColumnScan,
): PlannedVariable | null {
  if (times !== 'lengths' || !scan.allNumbers) return null;
  return {
    use: 'question',
    notes: ['contains lengths of time: taken as numbers of seconds'],
    convert: (cell) => (cell === null || typeof cell === 'number' ? cell : MISSING_CELL),
    question: {
      question_text: questionText(label, header),
      question_type: 'number',
      question_settings: { decimals: Math.min(MAX_DECIMALS, scan.decimals), suffix: 'seconds' },
      options: [],
    },
  };
}

/** Says how numbers, dates and missing marks of a column were read, where it was a choice. */
function notesOnReading(scan: ColumnScan): string[] {
  const notes: string[] = [];
  const { numbers, moments, valued } = scan;
  const { notation } = numbers;
  if (scan.hasMissingMarks)
    notes.push(
      `has missing values, which are not answered: ${[...scan.marks]
        .slice(0, 5)
        .map(([mark, count]) => `${quote(mark)} (${count})`)
        .join(', ')}`,
    );
  if (scan.allNumbers && notation.kind === 'ambiguous')
    notes.push(
      `${quote(notation.example)} is read as ${numbers.read(notation.example) ?? ''}; send the field decimal if another mark begins decimals`,
    );
  else if (scan.allNumbers && notation.kind === 'known' && notation.decimalMark === ',')
    notes.push('a comma begins decimals');
  else if (numbers.others === 0 && notation.kind === 'mixed')
    notes.push(
      `has numbers with a decimal point (${quote(notation.pointExample)}) and with a decimal comma (${quote(notation.commaExample)}): taken as a text`,
    );
  if (moments.precision !== null && moments.impossible > 0)
    notes.push(
      `has dates that do not exist in ${cellCount(moments.impossible)}, such as ${quote(moments.firstImpossible)}: left empty`,
    );
  // A column of numbers but for a few cells that a person can mend.
  if (numbers.firstOther !== null && !scan.allNumbers && moments.precision === null) {
    if (numbers.others <= MAX_OTHERS_SHARE * valued)
      notes.push(
        `has numbers, but other texts in ${numbers.others} of ${cellCount(valued)}, such as ${quote(truncateText(numbers.firstOther, MAX_QUOTED))}: taken as a text; name them in missing_values to get numbers`,
      );
  }
  return notes;
}

const cellCount = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);

function convertMoment(
  cell: SourceCell,
  precision: 'date' | 'datetime' | 'time',
  scan: ColumnScan,
): SourceCell | ConvertedCell {
  if (cell === null) return null;
  if (scan.isMissing(cell)) return MISSING_CELL;
  const text = String(cell).trim();
  // A date among points in time is its beginning.
  const isDay = precision === 'datetime' && !/[T ]/.test(text);
  const read = readDateText(isDay ? `${text}T00:00` : text, precision);
  return read.ok ? read.text : unreadableCell(`${quote(text)} does not exist in the calendar`);
}

/** Returns the options of a column with few values that recur; null: it has too many. */
function categoriesOfColumn(scan: ColumnScan): PlannedQuestion['options'] | null {
  if (scan.distinct === null || scan.valued === 0) return null;
  const values = new Set<string>();
  for (const cell of scan.distinct.keys()) {
    const category = scan.isMissing(cell) ? null : categoryOf(cell, scan);
    if (category !== null) values.add(category);
  }
  const isCategories = scan.allNumbers
    ? scan.allIntegers && values.size <= MAX_NUMBER_CATEGORIES && scan.valued >= 2 * values.size
    : values.size <= MAX_TEXT_CATEGORIES &&
      scan.filled >= 3 * values.size &&
      scan.longestCharacters <= MAX_CATEGORY_CHARACTERS;
  if (!isCategories) return null;
  return [...values].sort(compareCategories).map((text) => ({ option_label: text, option_value: text }));
}

/** The option_value of a cell; null: white space. */
function categoryOf(cell: SourceCell, scan: ColumnScan): string | null {
  if (cell === null) return null;
  const value = scan.allNumbers ? scan.numbers.read(cell) : null;
  return value === null ? String(cell).trim().normalize('NFC') || null : String(value);
}

const LEADING_NUMBER = /^-?\d{1,15}(\.\d{1,15})?/;

/** Orders categories by the number with which they begin (2 before 10, "9 - often" before "10 - always"), then by code point. */
export function compareCategories(a: string, b: string): number {
  const [numberA, numberB] = [LEADING_NUMBER.exec(a)?.[0], LEADING_NUMBER.exec(b)?.[0]];
  if (numberA !== undefined && numberB !== undefined && Number(numberA) !== Number(numberB))
    return Number(numberA) - Number(numberB);
  return a < b ? -1 : a > b ? 1 : 0;
}
