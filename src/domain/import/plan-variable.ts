import type { ColumnScan } from './column-scan.ts';
import {
  toStorableNumber,
  toStorableText,
  maxTextLength,
  optionLabel,
  type PlannedQuestion,
  type PlannedVariable,
  questionText,
} from './planned-variable.ts';
import type { SourceCell, SourceColumn, SourceVariable } from './source-file.ts';

const MAX_OPTIONS = 1_000;
/** With more unlabelled values than this and than labels, the variable is not categorical. */
const MAX_UNLABELLED = 20;
const MONTH_FORMATS = new Set([28]);

/** Plans a question for a variable of a statistics file from its labels and format. */
export function planVariable(
  { header, label }: SourceColumn,
  variable: SourceVariable,
  scan: ColumnScan,
  isWeight: boolean,
): PlannedVariable {
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
    const options = categoriesOf(variable, scan, isMissing, notes);
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

/** Returns null if the values are not categories. */
function categoriesOf(
  variable: SourceVariable,
  scan: ColumnScan,
  isMissing: (value: string | number) => boolean,
  notes: string[],
): PlannedQuestion['options'] | null {
  const { valueLabels } = variable;
  if (!valueLabels.some(([value]) => !isMissing(value))) {
    if (valueLabels.length > 0) notes.push('only missing values have labels: they are left out');
    return null;
  }
  const labels = new Map<string | number, string>();
  for (const [value, label] of valueLabels) {
    if (toOptionValue(value) !== '' && Number.isFinite(Number(value) || 0)) labels.set(value, label);
  }
  const unlabelled = [...(scan.distinct?.keys() ?? [])].filter(
    (value): value is string | number => value !== null && !labels.has(value) && toOptionValue(value) !== '',
  );
  const tooMany =
    scan.distinct === null ||
    unlabelled.length > Math.max(MAX_UNLABELLED, labels.size) ||
    labels.size + unlabelled.length > MAX_OPTIONS;
  if (tooMany) {
    notes.push(`has too many values without labels to be categories: the ${labels.size} labels are left out`);
    return null;
  }
  if (unlabelled.length > 0)
    notes.push(`${unlabelled.length} values have no label and are called by their value`);
  const empty = [...labels.values()].filter((label) => label.trim() === '').length;
  if (empty > 0) notes.push(`${empty} labels are empty: the value stands for them`);
  const values = [...labels.keys(), ...unlabelled];
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
