import { formatOptionCode } from '../answers/codec.ts';
import { LIST_SEPARATOR, NONE_TICKED } from '../dataset/columns/column-spec.ts';
import type { ColumnScan } from './column-scan.ts';
import type { QuestionType } from '../questions/registry.ts';
import { unescapeFormula } from './match-columns.ts';
import { parseNumber } from './read-cell.ts';
import type { ColumnRole, SourceCell, SourceColumn, SourceVariable } from './source-file.ts';

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
const MAX_TEXT_CHARACTERS = 20_000;

/** Returns a valid option label; the value if it is empty. */
export function optionLabel(label: string, value: string): string {
  return label.trim().slice(0, MAX_LABEL_CHARACTERS).toWellFormed() || value;
}

/** Returns the label or name as question text, truncated to the maximum; never empty. */
export function questionText(label: string | null, name: string): string {
  return ((label ?? '').trim() || name.trim() || 'Question').slice(0, 10_000).toWellFormed();
}

/** Makes a text storable. */
function toStorableText(cell: SourceCell): SourceCell {
  if (cell === null) return null;
  return String(cell).replaceAll('\0', '').slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

/** Rounds a number to ten decimals; null if it exceeds exact integers. */
function toStorableNumber(value: number): number | null {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  return Number.isInteger(value) ? value : Number(value.toFixed(10));
}

/** Returns the max_length of a text question whose longest text has `longest` UTF-16 units, with room to edit. */
function maxTextLength(longest: number): number {
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

const MAX_OPTIONS = 1_000;
/** With more unlabeled values than this and than labels, the variable is not categorical. */
const MAX_UNLABELED = 20;
const MONTH_FORMATS = new Set([28]);

/** Plans a question for a variable of a statistics file from its labels and format. */
export function planVariable({
  column: { header, label },
  variable,
  scan,
  isWeight,
}: {
  column: SourceColumn;
  variable: SourceVariable;
  scan: ColumnScan;
  isWeight: boolean;
}): PlannedVariable {
  const notes: string[] = [];
  const question = {
    question_text: questionText(label, header),
    question_settings: {
      variable: { ...variableSetting(header, label, variable), ...(isWeight && { is_weight: true }) },
    },
    options: [],
  };
  const isMissing = createMissingCheck(variable);
  const use = 'question' as const;
  const settings = (more: object) => ({ ...question.question_settings, ...more });

  if (variable.kind === 'number' || variable.kind === 'string') {
    const options = categoriesOf({ variable, scan, isMissing, notes });
    if (options !== null) {
      const values = new Set(options.map(({ option_value }) => option_value));
      const convert = (cell: SourceCell) => {
        const text = cell === null ? null : toOptionValue(cell);
        return text !== null && values.has(text) ? text : null;
      };
      const question_settings = settings({ measure: variable.measure ?? 'nominal' });
      return {
        use,
        notes,
        convert,
        question: { ...question, question_type: 'single_choice', question_settings, options },
      };
    }
  }
  const dropped = [...(scan.distinct?.entries() ?? [])].filter(([cell]) => cell !== null && isMissing(cell));
  const droppedCells = dropped.reduce((sum, [, count]) => sum + count, 0);
  const isOpen = variable.missing.length > 0 || variable.missingRange !== null;
  if (droppedCells > 0) notes.push(`${droppedCells} cells are user-missing and are taken as not answered`);
  else if (isOpen && scan.distinct === null) notes.push('user-missing values are taken as not answered');
  const present = (cell: SourceCell) => (cell === null || isMissing(cell) ? null : cell);

  if (variable.kind === 'string') {
    const question_settings = settings({ max_length: maxTextLength(scan.longestCharacters) });
    const convert = (cell: SourceCell) => toStorableText(present(cell));
    return { use, notes, convert, question: { ...question, question_type: 'text', question_settings } };
  }
  const isMoment = scan.allDates || scan.allDatetimes || scan.allClocks;
  if (variable.kind !== 'number' && (isMoment || scan.filled === 0)) {
    const precision = MONTH_FORMATS.has(variable.format.type) ? 'month' : variable.kind;
    if (precision === 'datetime' || precision === 'time') notes.push('seconds are left out');
    const question_settings = settings({ precision });
    return {
      use,
      notes,
      convert: present,
      question: { ...question, question_type: 'date', question_settings },
    };
  }
  if (variable.kind !== 'number')
    notes.push('has values that are no moments of the calendar: those are left out');
  const convert = (cell: SourceCell) => {
    const value = present(cell);
    return typeof value === 'number' ? toStorableNumber(value) : null;
  };
  const question_settings = settings({ decimals: scan.decimals });
  return { use, notes, convert, question: { ...question, question_type: 'number', question_settings } };
}

/** The settings that an export needs to reproduce the variable. */
function variableSetting(name: string, label: string | null, variable: SourceVariable) {
  const { kind, format, measure, missing, missingRange } = variable;
  return {
    name: name.slice(0, 64),
    label: label === null ? null : label.slice(0, 255),
    kind,
    format,
    measure,
    missing: [...missing],
    missing_range: missingRange,
  };
}

/** Returns a check for values that the file declares missing: listed, or within the inclusive range. */
export function createMissingCheck({
  missing,
  missingRange,
}: SourceVariable): (value: string | number) => boolean {
  const values = new Set(missing);
  return (value) =>
    values.has(value) ||
    (typeof value === 'number' &&
      missingRange !== null &&
      value >= missingRange.low &&
      value <= missingRange.high);
}

/** Converts a value to an option_value. */
function toOptionValue(value: string | number): string {
  return String(value).trim().normalize('NFC').replaceAll('\0', '').toWellFormed().slice(0, 1_000);
}

/** Returns null if the values are not categories; adds to `notes`. */
function categoriesOf({
  variable,
  scan,
  isMissing,
  notes,
}: {
  variable: SourceVariable;
  scan: ColumnScan;
  isMissing: (value: string | number) => boolean;
  notes: string[];
}): PlannedQuestion['options'] | null {
  const { valueLabels } = variable;
  if (!valueLabels.some(([value]) => !isMissing(value))) {
    if (valueLabels.length > 0) notes.push('only missing values have labels: they are left out');
    return null;
  }
  const labels = new Map<string | number, string>();
  for (const [value, label] of valueLabels) {
    if (toOptionValue(value) !== '' && Number.isFinite(Number(value) || 0)) labels.set(value, label);
  }
  const unlabeled = [...(scan.distinct?.keys() ?? [])].filter(
    (value): value is string | number => value !== null && !labels.has(value) && toOptionValue(value) !== '',
  );
  const tooMany =
    scan.distinct === null ||
    unlabeled.length > Math.max(MAX_UNLABELED, labels.size) ||
    labels.size + unlabeled.length > MAX_OPTIONS;
  if (tooMany) {
    notes.push(`has too many values without labels to be categories: the ${labels.size} labels are left out`);
    return null;
  }
  if (unlabeled.length > 0)
    notes.push(`${unlabeled.length} values have no label and are called by their value`);
  const empty = [...labels.values()].filter((label) => label.trim() === '').length;
  if (empty > 0) notes.push(`${empty} labels are empty: the value stands for them`);
  const values = [...labels.keys(), ...unlabeled];
  if (variable.kind === 'number') {
    values.sort((a, b) => Number(a) - Number(b));
    if (values.some((value) => !Number.isInteger(value)))
      notes.push(
        'has categories that are no whole numbers: their option_codes are 1 to n, their values stay',
      );
  }
  const seen = new Set<string>();
  return values.flatMap((value) => {
    const text = toOptionValue(value);
    if (seen.has(text)) return [];
    seen.add(text);
    const option = { option_label: optionLabel(labels.get(value) ?? '', text), option_value: text };
    return [isMissing(value) ? { ...option, option_missing: true } : option];
  });
}
