import { formatOptionCode } from '../answers/codec.ts';
import { LIST_SEPARATOR } from '../dataset/columns/column-spec.ts';
import type { ColumnScan, GroupScan } from './column-scan.ts';
import {
  createMissingCheck,
  MAX_CATEGORY_CHARACTERS,
  MAX_NUMBER_CATEGORIES,
  optionLabel,
  type PlannedGroup,
  type PlannedQuestion,
  questionText,
  sortedCategories,
} from './plan-variable.ts';
import type {
  ColumnGroup,
  GroupPart,
  SourceCell,
  SourceColumn,
  SourceSet,
  SourceVariable,
} from './source-file.ts';

interface PlannedCategorySet {
  question: PlannedQuestion;
  optionCodes: number[];
  /** Combines the answers of a row into one cell. */
  answersOf: (cells: readonly SourceCell[]) => SourceCell;
  /** Its variables, with the conversion of their cells; null: no answer. */
  members: { index: number; convert: (cell: SourceCell) => SourceCell; notes: string[] }[];
}

/**
 * Plans a set of variables that each contain one of the same categories as one multiple choice. Returns a text if that is impossible. A
 * category that a case contains twice counts once.
 */
export function planCategorySet(
  set: SourceSet,
  members: readonly SetMember[],
  scan: GroupScan,
): PlannedCategorySet | string {
  if (members.length < 2) return 'has fewer than two variables that are free';
  const kinds = new Set(members.map(({ column: { variable } }) => variable.kind));
  if (kinds.size > 1 || !(kinds.has('number') || kinds.has('string')))
    return 'has variables of different types: they are questions of their own';
  const missingChecks = new Map(
    members.map(({ index, column: { variable } }) => [index, createMissingCheck(variable)] as const),
  );
  const valueOf = (cell: SourceCell, index: number): string | null => {
    if (cell === null || missingChecks.get(index)!(cell)) return null;
    return String(cell).trim().normalize('NFC') || null;
  };
  const labels = new Map<string, string>();
  for (const { index, column } of members) {
    for (const [value, label] of column.variable.valueLabels) {
      const text = valueOf(value, index);
      if (text !== null && !labels.has(text)) labels.set(text, label);
    }
  }
  for (const { index, scan: column } of members) {
    if (column.distinct === null) return 'has variables with too many different values to be categories';
    for (const cell of column.distinct.keys()) {
      const text = valueOf(cell, index);
      if (text !== null && !labels.has(text)) labels.set(text, '');
    }
  }
  if (labels.size === 0 || labels.size > MAX_OPTIONS)
    return `has ${labels.size} categories: its variables are questions of their own`;
  const areCodes = [...labels.keys()].every((value) => /^(0|-?[1-9]\d{0,8})$/.test(value));
  const values = [...labels.keys()];
  if (kinds.has('number')) values.sort((a, b) => Number(a) - Number(b));
  const options = values.map((value, i) => ({
    option_label: optionLabel(labels.get(value)!, value),
    option_value: value,
    option_code: areCodes ? Number(value) : i + 1,
  }));
  const notes = [`one of ${members.length} variables of the set ${set.name}: their order is not kept`];
  if (scan.repeats > 0) notes.push(`${scan.repeats} answers of the set repeat another of their case`);
  const missingNotes = ({ index, scan: { distinct } }: SetMember): string[] => {
    const missing = [...(distinct ?? [])].filter(([cell]) => valueOf(cell, index) === null);
    const cells = missing.reduce((sum, [, count]) => sum + count, 0);
    return cells === 0 ? [] : [`${cells} cells are user-missing and are taken as not answered`];
  };
  return {
    question: {
      question_type: 'multiple_choice',
      question_text: questionText(set.label, set.name),
      question_settings: {},
      options,
    },
    optionCodes: options.map(({ option_code }) => option_code),
    answersOf: (cells) => {
      const answers = members.flatMap(({ index }) => valueOf(cells[index] ?? null, index) ?? []);
      return [...new Set(answers)].join(LIST_SEPARATOR) || null;
    },
    members: members.map((member) => ({
      index: member.index,
      convert: (cell) => valueOf(cell, member.index),
      notes: [...missingNotes(member), ...notes],
    })),
  };
}

const TICKED = new Set(['1', 'y', 'yes', 'true', 'x', 'checked', 'selected']);
const UNTICKED = new Set(['0', 'n', 'no', 'false', 'unchecked', 'not selected']);
/** Qualtrics code for "seen but unanswered", if enabled in the export. */
const SEEN_UNANSWERED = '-99';
const MAX_TEXT_ANSWERS = 30;
const MAX_ROWS = 200;
const MAX_OPTIONS = 1_000;
const MIN_RANKED_OPTIONS = 3;
const MIN_RANKED_ROWS = 5;
/** Minimum ratio of the rows' distinct values to all distinct values, so that rows share their answers. */
const MIN_SHARED = 1.5;
const ROW_CODE = /^[A-Za-z0-9][A-Za-z0-9_]{0,23}$/;

const normalizeCell = (cell: SourceCell) =>
  String(cell ?? '')
    .trim()
    .normalize('NFC')
    .toLowerCase();
const isEmpty = (cell: SourceCell | undefined) => normalizeCell(cell ?? null) === '';

interface Member {
  index: number;
  part: GroupPart;
  option: GroupPart | null;
  scan: ColumnScan;
}

/**
 * Plans the columns of a recognized group as one question if their values are unambiguous: ticked options, ranks 1 to n, rows that share
 * few answers, or a complete grid of ticks. null: each column is a separate question.
 */
export function planGroup(
  group: ColumnGroup,
  columns: readonly ColumnScan[],
  scan: GroupScan,
): PlannedGroup | null {
  const members = group.members.map((member) => ({ ...member, scan: columns[member.index]! }));
  if (members.length < 2 || members.every(({ scan: { filled } }) => filled === 0)) return null;
  if (members.every(({ option }) => option !== null)) return planGrid(group, members, scan);
  if (members.some(({ option }) => option !== null)) return null;
  return planRanking(group, members, scan) ?? planTicks(group, members, scan) ?? planRows(group, members);
}

/** Whether all values mean ticked or not ticked; blanks mean not ticked only if no value does. */
function areTicks(members: readonly Member[], { isComplete }: GroupScan): boolean {
  let hasUnticked = false;
  for (const { scan, part, option } of members) {
    if (scan.distinct === null) return false;
    for (const cell of scan.distinct.keys()) {
      if (isTicked(cell, option ?? part) || normalizeCell(cell) === SEEN_UNANSWERED) continue;
      if (!UNTICKED.has(normalizeCell(cell))) return false;
      hasUnticked = true;
    }
  }
  return !hasUnticked || isComplete;
}

function isTicked(cell: SourceCell, { key, label }: GroupPart): boolean {
  const text = normalizeCell(cell);
  return (
    TICKED.has(text) ||
    text === normalizeCell(label) ||
    (text === normalizeCell(key) && !/^-?\d+$/.test(text))
  );
}

/** Reads 1 or 0; null if the row has no value in any of the columns. */
function tickReader(part: GroupPart, indexes: readonly number[]): PlannedGroup['members'][number]['convert'] {
  return (cell, cells) => {
    if (!isEmpty(cell)) return Number(isTicked(cell, part));
    return indexes.some((index) => !isEmpty(cells[index])) ? 0 : null;
  };
}

function questionTextOf(group: ColumnGroup): { question_text: string } {
  return { question_text: questionText(group.text, group.name) };
}

/** Uses the file's codes if all are integers, otherwise 1 to n. */
function createOptions(parts: readonly GroupPart[]) {
  const areCodes = parts.every(({ key }) => /^(0|-?[1-9]\d{0,8})$/.test(key));
  return parts.map(({ key, label }, i) => ({
    option_label: optionLabel(label, key),
    option_value: key,
    option_code: areCodes ? Number(key) : i + 1,
  }));
}

const codeSuffix = (code: number) => `_${formatOptionCode(code)}`;

function planTicks(group: ColumnGroup, members: readonly Member[], scan: GroupScan): PlannedGroup | null {
  if (members.length > MAX_OPTIONS || !areTicks(members, scan)) return null;
  const options = createOptions(members.map(({ part }) => part));
  const indexes = members.map(({ index }) => index);
  return {
    use: 'option',
    question: {
      ...questionTextOf(group),
      question_type: 'multiple_choice',
      question_settings: {},
      options,
    },
    members: members.map(({ index, part }, i) => ({
      index,
      suffix: codeSuffix(options[i]!.option_code),
      convert: tickReader(part, indexes),
    })),
  };
}

function planRanking(group: ColumnGroup, members: readonly Member[], scan: GroupScan): PlannedGroup | null {
  const isRanking =
    members.length >= MIN_RANKED_OPTIONS && scan.ranked !== null && scan.ranked >= MIN_RANKED_ROWS;
  if (!isRanking || members.length > MAX_OPTIONS) return null;
  const options = createOptions(members.map(({ part }) => part));
  return {
    use: 'option',
    question: { ...questionTextOf(group), question_type: 'ranking', question_settings: {}, options },
    members: members.map(({ index }, i) => ({
      index,
      suffix: codeSuffix(options[i]!.option_code),
      convert: (cell) => (isEmpty(cell) ? null : Number(cell)),
    })),
  };
}

function createRows(parts: readonly GroupPart[]): { row_code: string; row_label: string }[] {
  const keys = parts.map(({ key }) => key.replace(/^-/, 'm'));
  const areCodes =
    keys.every((key) => ROW_CODE.test(key)) && new Set(keys.map(normalizeCell)).size === keys.length;
  return parts.map(({ label, key }, i) => ({
    row_code: areCodes ? keys[i]! : `r${i + 1}`,
    row_label: optionLabel(label, key),
  }));
}

/** Plans rows that share few answers as a matrix with one answer per row. */
function planRows(group: ColumnGroup, members: readonly Member[]): PlannedGroup | null {
  if (members.length > MAX_ROWS) return null;
  const scans = members.map(({ scan }) => scan).filter(({ filled }) => filled > 0);
  const areNumbers = scans.every(({ allNumbers }) => allNumbers);
  const isMoment = scans.some(
    ({ allDates, allDatetimes, allClocks }) => allDates || allDatetimes || allClocks,
  );
  const isLong = scans.some(({ longestCharacters }) => longestCharacters > MAX_CATEGORY_CHARACTERS);
  if (isMoment || isLong || (areNumbers && scans.some(({ allIntegers }) => !allIntegers))) return null;
  const values = new Set<string>();
  let distinct = 0;
  let filled = 0;
  for (const scan of scans) {
    if (scan.distinct === null) return null;
    distinct += scan.distinct.size;
    filled += scan.filled;
    for (const cell of scan.distinct.keys()) values.add(String(cell).trim().normalize('NFC'));
  }
  values.delete('');
  const isFew = values.size <= (areNumbers ? MAX_NUMBER_CATEGORIES : MAX_TEXT_ANSWERS);
  if (!isFew || filled < 2 * values.size || distinct < MIN_SHARED * values.size) return null;
  const rows = createRows(members.map(({ part }) => part));
  const options = sortedCategories([...values], areNumbers).map((value) => ({
    option_label: value,
    option_value: value,
  }));
  return {
    use: 'row',
    question: {
      ...questionTextOf(group),
      question_type: 'matrix',
      question_settings: { matrix_type: 'single', rows },
      options,
    },
    members: members.map(({ index }, i) => ({
      index,
      suffix: `_${rows[i]!.row_code}`,
      convert: (cell) => (isEmpty(cell) ? null : String(cell).trim().normalize('NFC')),
    })),
  };
}

/** Plans a complete grid of rows by options as a matrix with multiple answers per row. */
function planGrid(group: ColumnGroup, members: readonly Member[], scan: GroupScan): PlannedGroup | null {
  const rowParts = [...new Map(members.map(({ part }) => [part.key, part])).values()];
  const optionParts = [...new Map(members.map(({ option }) => [option!.key, option!])).values()];
  const isWhole = rowParts.length * optionParts.length === members.length;
  const cells = new Set(members.map(({ part, option }) => JSON.stringify([part.key, option!.key])));
  const fits = rowParts.length <= MAX_ROWS && optionParts.length <= MAX_OPTIONS;
  if (!isWhole || cells.size < members.length || !fits || !areTicks(members, scan)) return null;
  const rows = createRows(rowParts);
  const options = createOptions(optionParts);
  return {
    use: 'cell',
    question: {
      ...questionTextOf(group),
      question_type: 'matrix',
      question_settings: { matrix_type: 'multiple', rows },
      options,
    },
    members: members.map(({ index, part, option }) => {
      const row = rowParts.findIndex(({ key }) => key === part.key);
      const column = optionParts.findIndex(({ key }) => key === option!.key);
      const rowIndexes = members.filter((other) => other.part.key === part.key).map((other) => other.index);
      return {
        index,
        suffix: `_${rows[row]!.row_code}${codeSuffix(options[column]!.option_code)}`,
        convert: tickReader(option!, rowIndexes),
      };
    }),
  };
}

/** Format of 0/1 columns that were strings: F1.0. */
const NUMBER_FORMAT = { type: 5, width: 1, decimals: 0 };

interface PlannedSet {
  question: PlannedQuestion;
  /** In option order. */
  members: { index: number; optionCode: number; convert: (cell: SourceCell) => SourceCell }[];
  notes: string[];
}

export interface SetMember {
  index: number;
  column: SourceColumn & { variable: SourceVariable };
  scan: ColumnScan;
}

/**
 * Plans a set of dichotomous variables as one multiple choice. Returns a text if that is impossible. Each variable must contain the counted
 * value and at most one other value.
 */
export function planSet(
  set: SourceSet & { countedValue: string },
  members: readonly SetMember[],
): PlannedSet | string {
  if (members.length < 2 || members.length > MAX_OPTIONS) return 'has fewer than two variables that are free';
  const flags = members.map(({ column, scan }) => flagOf(set.countedValue, column.variable, scan));
  const wrong = flags.findIndex((flag) => flag === null);
  if (wrong >= 0) return `has ${members[wrong]!.column.header}, which holds more than two values`;
  const converts = flags.flatMap((flag) => flag ?? []);
  const codes = optionCodes(set.name, members);
  const options = members.map(({ column }, i) => ({
    option_label: optionLabel(memberLabel(set, column), column.header),
    option_value: codes.areOwn ? String(codes.codes[i]) : column.header,
    option_code: codes.codes[i]!,
  }));
  return {
    question: {
      question_type: 'multiple_choice',
      question_text: questionText(set.label, set.name),
      question_settings: {
        variable: {
          name: set.name.slice(0, 64),
          label: set.label.slice(0, 255),
          counted: set.countedValue,
          members: members.map(({ column: { header, label, variable } }, i) => ({
            option_code: codes.codes[i],
            name: header.slice(0, 64),
            label: label === null ? null : label.slice(0, 255),
            format: variable.kind === 'string' ? NUMBER_FORMAT : variable.format,
            other: converts[i]!.other,
          })),
        },
      },
      options,
    },
    members: members.map(({ index }, i) => ({
      index,
      optionCode: codes.codes[i]!,
      convert: converts[i]!.convert,
    })),
    notes: isPartlyEmpty(members) ? [PARTLY_EMPTY] : [],
  };
}

const PARTLY_EMPTY =
  'has cases in which only some of its variables have values: there, those without one are taken as not ticked';

/**
 * Whether variables have values in different numbers of cases. A multiple choice is answered for all options or none, so some zeros are
 * then assumed. Does not detect variables missing equally often in different cases.
 */
function isPartlyEmpty(members: readonly SetMember[]): boolean {
  const filled = members.map(({ column: { variable }, scan }) => {
    const isMissing = createMissingCheck(variable);
    const cells = [...(scan.distinct?.entries() ?? [])];
    return cells.reduce((sum, [cell, count]) => sum + (cell === null || isMissing(cell) ? 0 : count), 0);
  });
  return new Set(filled).size > 1;
}

/** Converts the counted value to 1 and the other to 0; null if the variable has more values. */
function flagOf(
  counted: string,
  variable: SourceVariable,
  scan: ColumnScan,
): { convert: (cell: SourceCell) => SourceCell; other: number } | null {
  const isMissing = createMissingCheck(variable);
  const isCounted = (cell: string | number) => String(cell).trim() === counted;
  const others = [...(scan.distinct?.keys() ?? [])].filter(
    (cell) => cell !== null && !isMissing(cell) && !isCounted(cell),
  );
  if (scan.distinct === null || others.length > 1) return null;
  const [other] = others;
  return {
    convert: (cell) => (cell === null || isMissing(cell) ? null : Number(isCounted(cell))),
    other: typeof other === 'number' ? other : Number(Number(counted) === 0),
  };
}

/** Keeps the number in variables named like the set, so that re-imported exports keep their option codes. */
function optionCodes(name: string, members: readonly SetMember[]): { codes: number[]; areOwn: boolean } {
  const numbersInNames = members.map(({ column: { header } }) => {
    if (!header.toLowerCase().startsWith(`${name.toLowerCase()}_`)) return null;
    const [, minus, digits] = /^(m?)(0|[1-9]\d{0,8})$/.exec(header.slice(name.length + 1)) ?? [];
    return digits === undefined ? null : Number(digits) * (minus === 'm' ? -1 : 1);
  });
  const areFromNames =
    numbersInNames.every((code) => code !== null) && new Set(numbersInNames).size === numbersInNames.length;
  return { codes: areFromNames ? numbersInNames : members.map((_, i) => i + 1), areOwn: areFromNames };
}

/** Removes the question from the label, which exports put before the option; a long one ends with an ellipsis. */
function memberLabel({ label }: SourceSet, column: SourceColumn): string {
  const own = column.label ?? '';
  const ellipsis = own.indexOf('…');
  const isShortened = ellipsis > 0 && label.startsWith(own.slice(0, ellipsis));
  const shortened = isShortened ? ellipsis + 1 : 0;
  const shared = own.toLowerCase().startsWith(label.toLowerCase()) ? label.length : shortened;
  return shared === 0 ? own : own.slice(shared).replace(/^[\s:–—-]+/, '') || own;
}
