import { formatCount, quote } from '../../lib/error-messages.ts';
import { truncateText } from '../../lib/truncate-text.ts';
import type { NoAnswerChoice, NoAnswerReason } from '../columns/no-answer.ts';
import type { ConvertedCell } from './cell-outcome.ts';
import type { ColumnScan } from './column-scan.ts';
import {
  MAX_LABEL_CHARACTERS,
  maxTextLength,
  optionLabel,
  type PlannedQuestion,
  type PlannedVariable,
  questionText,
  toStorableText,
} from './plan-variable.ts';
import { clockSeconds } from './statistics-cells.ts';
import {
  createMissingCheck,
  type SourceCell,
  type SourceColumn,
  type SourceVariable,
} from './source-file.ts';

const MAX_OPTIONS = 1_000;
const MAX_OPTION_VALUE_CHARACTERS = 1_000;
/** With more unlabeled values than this and than labels, the variable is not categorical. */
const MAX_UNLABELED = 20;
/** Display formats by their SPSS numbers: a month of a year, and lengths of time, which are no times of a day. */
const MONTH_FORMAT = 28;
const LENGTH_FORMATS = new Set([25, 40]);

/** Plans a question for a variable of a statistics file from its labels and format. */
export function planVariable({
  column,
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
  const categories = planCategories(variable, scan, notes);
  const described = {
    question_text: questionText(column.label, column.header),
    variable: { ...variableSetting(column, variable), ...(isWeight && { is_weight: true }) },
  };
  if (categories !== null) {
    const { options, optionValues } = categories;
    const values = [...optionValues].flatMap(([value, optionValue]) =>
      typeof value === 'string' && value !== optionValue ? [{ option_value: optionValue, value }] : [],
    );
    const ownLabels = labelsForExport(variable).filter(
      ({ value, label }) => label.trim() === optionValues.get(value),
    );
    return {
      use: 'question',
      notes,
      convert: (cell) => (cell === null ? null : (optionValues.get(cell) ?? null)),
      question: {
        question_text: described.question_text,
        question_type: 'single_choice',
        question_settings: {
          variable: {
            ...described.variable,
            ...(values.length > 0 && { values }),
            ...(ownLabels.length > 0 && { value_labels: ownLabels }),
          },
          measure: variable.measure ?? 'nominal',
        },
        options,
      },
    };
  }
  const labels = labelsForExport(variable);
  if (variable.valueLabels.length > MAX_OPTIONS)
    notes.push(`has ${variable.valueLabels.length} labels: the first ${MAX_OPTIONS} are kept for exports`);
  const setting = { ...described.variable, ...(labels.length > 0 && { value_labels: labels }) };
  const isMissing = createMissingCheck(variable);
  const reasons = planNoAnswers(variable, scan);
  if (scan.userMissing > 0 && reasons === null) notes.push(noteOnUserMissing(variable, scan));
  const present = (cell: SourceCell) => (cell === null || isMissing(cell) ? null : cell);
  const { type, settings, convert } = planOpenQuestion(variable, scan, notes);
  return {
    use: 'question',
    notes,
    // The code of a reason stays, and the answer is read from it.
    convert: (cell) =>
      cell !== null && reasons?.some(({ code }) => String(code) === String(cell)) === true
        ? cell
        : convert(present(cell)),
    question: {
      question_text: described.question_text,
      question_type: type,
      question_settings: {
        variable: setting,
        ...settings,
        ...(reasons !== null && { no_answers: reasons }),
      },
      options: [],
    },
  };
}

/** Labels of user-missing values in several languages, by the reason that they name. */
const REASON_LABELS: readonly (readonly [NoAnswerReason, RegExp])[] = [
  [
    'dont_know',
    /\b(?:don['’]?t know|do not know|dk|cannot say|can['’]?t say|no opinion|no lo s[eé]|no sabe|n[aã]o sei|n[aã]o sabe)|wei(?:ß|ss) nicht|sait pas|sais pas|لا أعرف/i,
  ],
  [
    'refused',
    /\b(?:refus|prefer not|no answer|rehus|recus)|keine angabe|verweiger|pr[eé]f[eè]re ne pas|prefier[eo] no|prefiro n[aã]o|أفضّل عدم/i,
  ],
  [
    'not_applicable',
    /\b(?:not applicable|inapplicable|does not apply|n\/a|no aplica|n[aã]o se aplica)|trifft nicht zu|entf[aä]llt|non concern|sans objet|لا ينطبق/i,
  ],
];

const MAX_CODE_DIGITS = 6;
const INTEGER = new RegExp(`^-?\\d{1,${MAX_CODE_DIGITS}}$`);
const MAX_REASON_LABEL = 200;

/**
 * Plans the reasons that respondents give instead of an answer to an open question. null: there are none, or some user-missing values of the
 * file are no reason that a question can offer, so that a question of their own holds them.
 */
function planNoAnswers(
  { valueLabels }: SourceVariable,
  { missingValues }: ColumnScan,
): NoAnswerChoice[] | null {
  const values = [...(missingValues?.keys() ?? [])];
  const labels = new Map(valueLabels);
  const choices = values.flatMap((value): NoAnswerChoice[] => {
    const label = (labels.get(value) ?? '').trim();
    const [reason] = REASON_LABELS.find(([, pattern]) => pattern.test(label)) ?? [];
    return reason !== undefined && INTEGER.test(String(value))
      ? [{ reason, code: Number(value), label: truncateText(label, MAX_REASON_LABEL) }]
      : [];
  });
  const isComplete = choices.length === values.length && values.length > 0;
  const areDistinct = new Set(choices.map(({ reason }) => reason)).size === choices.length;
  return isComplete && areDistinct ? choices.sort((a, b) => a.code - b.code) : null;
}

export const takenAsUnanswered = (cells: number): string =>
  `${formatCount(cells, 'cell')} ${cells === 1 ? 'is' : 'are'} user-missing and taken as not answered`;

const MAX_NOTED_REASONS = 5;

/** Counts the cells of each user-missing value. */
function noteOnUserMissing(
  { valueLabels }: SourceVariable,
  { userMissing, missingValues }: ColumnScan,
): string {
  const labels = new Map(valueLabels);
  const reasons = [...(missingValues ?? [])].slice(0, MAX_NOTED_REASONS).map(([value, count]) => {
    const label = labels.get(value)?.trim() ?? '';
    return `${value}${label === '' ? '' : ` ${quote(truncateText(label, MAX_NOTED_CHARACTERS))}`} (${count})`;
  });
  const list = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  const more = missingValues !== null && missingValues.size > MAX_NOTED_REASONS ? ', …' : '';
  return `${takenAsUnanswered(userMissing)}${list}${more}`;
}

const MAX_NOTED_CHARACTERS = 40;

/** The reasons why an open question has no answer, as a question of its own. */
export interface PlannedReasons {
  question: PlannedQuestion;
  /** The option_value of a cell; null: it is answered, or has no reason. */
  reasonOf: (cell: SourceCell) => string | null;
}

/**
 * Plans a question for the user-missing values of a variable that becomes an open question. null: the open question holds them, or they tell
 * nothing, because there are none, only one without a label, or too many.
 */
export function planReasons(
  column: SourceColumn,
  variable: SourceVariable,
  scan: ColumnScan,
): PlannedReasons | null {
  if (planNoAnswers(variable, scan) !== null) return null;
  const { missingValues } = scan;
  const labels = new Map(variable.valueLabels);
  const values = [...(missingValues?.keys() ?? [])].filter((value) => toOptionValue(value) !== '');
  const areTold = values.length > 1 || values.some((value) => (labels.get(value) ?? '').trim() !== '');
  if (!areTold) return null;
  values.sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : 0));
  const { options, optionValues } = assignOptionValues(values, labels, () => true);
  return {
    question: {
      question_type: 'single_choice',
      question_text: questionText(`${questionText(column.label, column.header)} (no answer)`, column.header),
      question_settings: {},
      options,
    },
    reasonOf: (cell) => (cell === null ? null : (optionValues.get(cell) ?? null)),
  };
}

interface OpenQuestion {
  type: 'text' | 'number' | 'date';
  settings: Record<string, unknown>;
  /** Of cells that are not user-missing. */
  convert: (cell: SourceCell) => SourceCell | ConvertedCell;
}

function planOpenQuestion(variable: SourceVariable, scan: ColumnScan, notes: string[]): OpenQuestion {
  switch (variable.kind) {
    case 'string':
      return {
        type: 'text',
        settings: { max_length: maxTextLength(scan.longestCharacters) },
        convert: toStorableText,
      };
    case 'number':
      return { type: 'number', settings: { decimals: scan.decimals }, convert: toNumber };
    case 'time':
      return planTime(variable, scan, notes);
    case 'date':
    case 'datetime':
      return planDate(variable, scan, notes);
  }
}

const toNumber = (cell: SourceCell): number | null => (typeof cell === 'number' ? cell : null);

/** Times of a day are dates with the precision `time`. Lengths of time, which may be negative or a day and more, are numbers of seconds. */
function planTime({ format }: SourceVariable, scan: ColumnScan, notes: string[]): OpenQuestion {
  if (scan.allClocks && !LENGTH_FORMATS.has(format.type))
    return { type: 'date', settings: { precision: 'time' }, convert: (cell) => cell };
  notes.push(
    'contains lengths of time: taken as numbers of seconds, which exports write in the format of the file',
  );
  return {
    type: 'number',
    settings: { decimals: scan.decimals, suffix: 'seconds' },
    convert: (cell) => (typeof cell === 'string' ? clockSeconds(cell) : cell),
  };
}

function planDate({ kind, format }: SourceVariable, scan: ColumnScan, notes: string[]): OpenQuestion {
  const { outOfCalendar } = scan;
  const dates = scan.filled - scan.userMissing - outOfCalendar;
  if (dates === 0 && outOfCalendar > 0) {
    notes.push(
      'has no value within the years 1 to 9999: taken as numbers, which exports write in the format of the file',
    );
    return { type: 'number', settings: { decimals: scan.decimals }, convert: toNumber };
  }
  if (outOfCalendar > 0)
    notes.push(`${outOfCalendar} cells are not within the years 1 to 9999: they are left out`);
  const hasTimes = dates > 0 && !scan.allDates;
  if (hasTimes && kind === 'date') notes.push('has dates with a time of day: taken as days with times');
  const precision =
    hasTimes || (dates === 0 && kind === 'datetime')
      ? 'datetime'
      : format.type === MONTH_FORMAT && areFirstDays(scan)
        ? 'month'
        : 'date';
  return {
    type: 'date',
    settings: { precision },
    convert: (cell) => (typeof cell === 'string' ? cell : null),
  };
}

/** Whether every date is the first of its month. */
function areFirstDays({ distinct }: ColumnScan): boolean {
  const cells = distinct === null ? null : [...distinct.keys()];
  return cells?.every((cell) => typeof cell !== 'string' || cell.endsWith('-01')) ?? false;
}

/** The settings that an export needs to reproduce the variable. */
function variableSetting({ header: name, label }: SourceColumn, variable: SourceVariable) {
  const { kind, format, measure, missing, missingRange } = variable;
  return {
    name: truncateText(name, 64),
    label: label === null ? null : truncateText(label, 255),
    kind,
    format,
    measure,
    missing: [...missing],
    missing_range: missingRange,
  };
}

/** The value labels as a setting. */
export function labelsForExport({
  valueLabels,
}: SourceVariable): { value: number | string; label: string }[] {
  return valueLabels
    .filter(([value]) => typeof value === 'string' || Number.isFinite(value))
    .slice(0, MAX_OPTIONS)
    .map(([value, label]) => ({ value, label: truncateText(label, MAX_LABEL_CHARACTERS).toWellFormed() }));
}

/** Replaces the white space around a value, which option_values cannot have. */
const VISIBLE_SPACE = '\u2423';

/**
 * Converts a value to an option_value. The spaces that fill up a text are gone already; other white space at its ends belongs to the value:
 * `" 1"` and `"1"` are two categories.
 */
export function toOptionValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.normalize('NFC').replaceAll('\0', '').toWellFormed();
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  return VISIBLE_SPACE.repeat(start) + text.slice(start, end) + VISIBLE_SPACE.repeat(text.length - end);
}

interface PlannedCategories {
  options: PlannedQuestion['options'];
  /** By the value in the file. */
  optionValues: ReadonlyMap<number | string, string>;
}

/** Returns null if the values are not categories; adds to `notes`. */
function planCategories(
  variable: SourceVariable,
  scan: ColumnScan,
  notes: string[],
): PlannedCategories | null {
  const { kind, valueLabels } = variable;
  const isMissing = createMissingCheck(variable);
  const areReasons = valueLabels.length > 0 && scan.filled > 0 && scan.userMissing === scan.filled;
  if (!areReasons && !valueLabels.some(([value]) => !isMissing(value))) {
    if (valueLabels.length > 0) notes.push('only missing values have labels: they are kept for exports');
    return null;
  }
  if (kind !== 'number' && kind !== 'string') {
    notes.push('has labels of dates or times: they are kept for exports');
    return null;
  }
  const labels = new Map<string | number, string>();
  for (const [value, label] of valueLabels) {
    if (toOptionValue(value) !== '' && (typeof value === 'string' || Number.isFinite(value)))
      labels.set(value, label);
  }
  if (labels.size < valueLabels.length) notes.push('the label of the blank text is left out');
  const unlabeled = [...(scan.distinct?.keys() ?? [])].filter(
    (value): value is string | number => value !== null && !labels.has(value) && toOptionValue(value) !== '',
  );
  const values = [...labels.keys(), ...unlabeled];
  const tooMany =
    scan.distinct === null ||
    unlabeled.length > Math.max(MAX_UNLABELED, labels.size) ||
    values.length > MAX_OPTIONS ||
    values.some((value) => toOptionValue(value).length > MAX_OPTION_VALUE_CHARACTERS);
  if (tooMany) {
    notes.push(
      `has too many values without labels to be categories: the ${labels.size} labels are kept for exports`,
    );
    return null;
  }
  if (unlabeled.length > 0)
    notes.push(`${unlabeled.length} values have no label and are called by their value`);
  const empty = [...labels.values()].filter((label) => label.trim() === '').length;
  if (empty > 0) notes.push(`${empty} labels are empty: the value stands for them`);
  if (kind === 'number') {
    values.sort((a, b) => Number(a) - Number(b));
    if (values.some((value) => !Number.isInteger(value)))
      notes.push(
        'has categories that are no whole numbers: their option_codes are 1 to n, their values stay',
      );
  }
  return assignOptionValues(values, labels, isMissing);
}

function assignOptionValues(
  values: readonly (string | number)[],
  labels: ReadonlyMap<string | number, string>,
  isMissing: (value: string | number) => boolean,
): PlannedCategories {
  const optionValues = new Map<string | number, string>();
  const used = new Set<string>();
  const options = values.map((value) => {
    const preferred = toOptionValue(value);
    let optionValue = preferred;
    // Texts of different bytes may be the same characters.
    for (let n = 2; used.has(optionValue); n += 1) optionValue = `${preferred} (${n})`;
    used.add(optionValue);
    optionValues.set(value, optionValue);
    const option = {
      option_label: optionLabel(labels.get(value) ?? '', optionValue),
      option_value: optionValue,
    };
    return isMissing(value) ? { ...option, option_missing: true } : option;
  });
  return { options, optionValues };
}
