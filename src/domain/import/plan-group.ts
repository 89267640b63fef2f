import { truncateText } from '../../lib/truncate-text.ts';
import { formatOptionCode } from '../questions/answers/codec.ts';
import { LIST_SEPARATOR } from '../columns/column-spec.ts';
import { MISSING_CELL } from './cell-outcome.ts';
import type { ColumnScan, GroupScan } from './column-scan.ts';
import { labelsForExport, takenAsUnanswered, toOptionValue } from './plan-statistics-variable.ts';
import {
  compareCategories,
  MAX_CATEGORY_CHARACTERS,
  MAX_NUMBER_CATEGORIES,
  optionLabel,
  type PlannedGroup,
  type PlannedQuestion,
  questionText,
} from './plan-variable.ts';
import {
  type ColumnGroup,
  createMissingCheck,
  type GroupPart,
  type SourceCell,
  type SourceColumn,
  type SourceSet,
  type SourceVariable,
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
  const variables = members.map(({ index, column: { variable }, scan: { distinct } }) => {
    const isMissing = createMissingCheck(variable);
    /** null: no answer. */
    const valueOf = (cell: SourceCell): string | null => {
      if (cell === null || isMissing(cell)) return null;
      return toOptionValue(cell) || null;
    };
    return { index, valueLabels: variable.valueLabels, distinct, valueOf };
  });
  const labels = new Map<string, string>();
  for (const { valueLabels, valueOf } of variables) {
    for (const [value, label] of valueLabels) {
      const text = valueOf(value);
      if (text !== null && !labels.has(text)) labels.set(text, label);
    }
  }
  for (const { distinct, valueOf } of variables) {
    if (distinct === null) return 'has variables with too many different values to be categories';
    for (const cell of distinct.keys()) {
      const text = valueOf(cell);
      if (text !== null && !labels.has(text)) labels.set(text, '');
    }
  }
  if (labels.size === 0 || labels.size > MAX_OPTIONS)
    return `has ${labels.size} categories: its variables are questions of their own`;
  const areCodes = [...labels.keys()].every((value) => /^(0|-?[1-9]\d{0,8})$/.test(value));
  const categories = [...labels];
  if (kinds.has('number')) categories.sort(([a], [b]) => Number(a) - Number(b));
  const options = categories.map(([value, label], i) => ({
    option_label: optionLabel(label, value),
    option_value: value,
    option_code: areCodes ? Number(value) : i + 1,
  }));
  const notes = [`one of ${members.length} variables of the set ${set.name}: their order is not kept`];
  if (scan.repeats > 0) notes.push(`${scan.repeats} answers of the set repeat another of their case`);
  const missingNotes = ({ distinct, valueOf }: (typeof variables)[number]): string[] => {
    const missing = [...(distinct ?? [])].filter(([cell]) => valueOf(cell) === null);
    const cells = missing.reduce((sum, [, count]) => sum + count, 0);
    return cells === 0 ? [] : [takenAsUnanswered(cells)];
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
      const answers = variables.flatMap(({ index, valueOf }) => valueOf(cells[index] ?? null) ?? []);
      return [...new Set(answers)].join(LIST_SEPARATOR) || null;
    },
    members: variables.map((variable) => ({
      index: variable.index,
      convert: variable.valueOf,
      notes: [...missingNotes(variable), ...notes],
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

type GridMember = Member & { option: GroupPart };

/**
 * Plans the columns of a recognized group as one question if their values are unambiguous: ticked options, ranks 1 to n, rows that share
 * few answers, or a complete grid of ticks. null: each column is a separate question.
 */
export function planGroup(
  group: ColumnGroup,
  columnScanAt: (index: number) => ColumnScan,
  scan: GroupScan,
): PlannedGroup | null {
  const members = group.members.map((member) => ({ ...member, scan: columnScanAt(member.index) }));
  if (members.length < 2 || members.every(({ scan: { filled } }) => filled === 0)) return null;
  const cells = members.filter((member): member is GridMember => member.option !== null);
  if (cells.length === members.length) return planGrid(group, cells, scan);
  if (cells.length > 0) return null;
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

/** Adds a planned option to each part, with the file's codes if all are integers, otherwise 1 to n. */
function withOptions<T extends { part: GroupPart }>(items: readonly T[]) {
  const areCodes = items.every(({ part: { key } }) => /^(0|-?[1-9]\d{0,8})$/.test(key));
  return items.map((item, i) => {
    const { key, label } = item.part;
    const planned = {
      option_label: optionLabel(label, key),
      option_value: key,
      option_code: areCodes ? Number(key) : i + 1,
    };
    return { ...item, planned };
  });
}

const codeSuffix = (code: number) => `_${formatOptionCode(code)}`;

function planTicks(group: ColumnGroup, members: readonly Member[], scan: GroupScan): PlannedGroup | null {
  if (members.length > MAX_OPTIONS || !areTicks(members, scan)) return null;
  const options = withOptions(members);
  const indexes = members.map(({ index }) => index);
  return {
    use: 'option',
    question: {
      ...questionTextOf(group),
      question_type: 'multiple_choice',
      question_settings: {},
      options: options.map(({ planned }) => planned),
    },
    members: options.map(({ index, part, planned }) => ({
      index,
      suffix: codeSuffix(planned.option_code),
      convert: tickReader(part, indexes),
    })),
  };
}

function planRanking(group: ColumnGroup, members: readonly Member[], scan: GroupScan): PlannedGroup | null {
  const isRanking =
    members.length >= MIN_RANKED_OPTIONS && scan.ranked !== null && scan.ranked >= MIN_RANKED_ROWS;
  if (!isRanking || members.length > MAX_OPTIONS) return null;
  const options = withOptions(members);
  return {
    use: 'option',
    question: {
      ...questionTextOf(group),
      question_type: 'ranking',
      question_settings: {},
      options: options.map(({ planned }) => planned),
    },
    members: options.map(({ index, planned }) => ({
      index,
      suffix: codeSuffix(planned.option_code),
      convert: (cell) => (isEmpty(cell) ? null : Number(cell)),
    })),
  };
}

/** Adds a planned matrix row to each part, with the file's keys as codes if possible, otherwise r1 to rn. */
function withRows<T extends { part: GroupPart }>(items: readonly T[]) {
  const codeOf = ({ part: { key } }: T) => key.replace(/^-/, 'm');
  const codes = items.map(codeOf);
  const areCodes =
    codes.every((code) => ROW_CODE.test(code)) && new Set(codes.map(normalizeCell)).size === codes.length;
  return items.map((item, i) => {
    const { key, label } = item.part;
    const planned = {
      row_code: areCodes ? codeOf(item) : `r${i + 1}`,
      row_label: optionLabel(label, key),
    };
    return { ...item, planned };
  });
}

/** Plans rows that share few answers as a matrix with one answer per row. */
function planRows(group: ColumnGroup, members: readonly Member[]): PlannedGroup | null {
  if (members.length > MAX_ROWS) return null;
  const scans = members.map(({ scan }) => scan).filter(({ filled }) => filled > 0);
  const areNumbers = scans.every(({ allNumbers }) => allNumbers);
  const isMoment = scans.some(({ moments }) => moments.precision !== null);
  const isLong = scans.some(({ longestCharacters }) => longestCharacters > MAX_CATEGORY_CHARACTERS);
  if (isMoment || isLong || (areNumbers && scans.some(({ allIntegers }) => !allIntegers))) return null;
  const values = new Set<string>();
  let distinct = 0;
  let filled = 0;
  for (const scan of scans) {
    if (scan.distinct === null) return null;
    distinct += scan.distinct.size;
    filled += scan.filled;
    for (const cell of scan.distinct.keys())
      if (!scan.isMissing(cell)) values.add(String(cell).trim().normalize('NFC'));
  }
  values.delete('');
  const isFew = values.size <= (areNumbers ? MAX_NUMBER_CATEGORIES : MAX_TEXT_ANSWERS);
  if (!isFew || filled < 2 * values.size || distinct < MIN_SHARED * values.size) return null;
  const rows = withRows(members);
  const options = [...values].sort(compareCategories).map((value) => ({
    option_label: value,
    option_value: value,
  }));
  return {
    use: 'row',
    question: {
      ...questionTextOf(group),
      question_type: 'matrix',
      question_settings: { matrix_type: 'single', rows: rows.map(({ planned }) => planned) },
      options,
    },
    members: rows.map(({ index, planned, scan }) => ({
      index,
      suffix: `_${planned.row_code}`,
      convert: (cell) => {
        if (scan.isMissing(cell)) return MISSING_CELL;
        return isEmpty(cell) ? null : String(cell).trim().normalize('NFC');
      },
    })),
  };
}

/** Plans a complete grid of rows by options as a matrix with multiple answers per row. */
function planGrid(group: ColumnGroup, members: readonly GridMember[], scan: GroupScan): PlannedGroup | null {
  const rowParts = [...new Map(members.map(({ part }) => [part.key, { part }])).values()];
  const optionParts = [...new Map(members.map(({ option }) => [option.key, { part: option }])).values()];
  const isWhole = rowParts.length * optionParts.length === members.length;
  const cells = new Set(members.map(({ part, option }) => JSON.stringify([part.key, option.key])));
  const fits = rowParts.length <= MAX_ROWS && optionParts.length <= MAX_OPTIONS;
  if (!isWhole || cells.size < members.length || !fits || !areTicks(members, scan)) return null;
  const rows = new Map(withRows(rowParts).map(({ part, planned }) => [part.key, planned]));
  const options = new Map(withOptions(optionParts).map(({ part, planned }) => [part.key, planned]));
  return {
    use: 'cell',
    question: {
      ...questionTextOf(group),
      question_type: 'matrix',
      question_settings: { matrix_type: 'multiple', rows: [...rows.values()] },
      options: [...options.values()],
    },
    members: members.map(({ index, part, option }) => {
      const row = rows.get(part.key);
      const column = options.get(option.key);
      if (row === undefined || column === undefined)
        throw new Error(`The grid ${group.name} has no row ${part.key} or no option ${option.key}`);
      const rowIndexes = members.filter((other) => other.part.key === part.key).map((other) => other.index);
      return {
        index,
        suffix: `_${row.row_code}${codeSuffix(column.option_code)}`,
        convert: tickReader(option, rowIndexes),
      };
    }),
  };
}

/** Format of 0/1 columns that were strings: F1.0. */
const NUMBER_FORMAT = { type: 5, width: 1, decimals: 0 };

interface PlannedSet {
  question: PlannedQuestion;
  /** In option order. `suffix`: follows the question code in the column code. */
  members: { index: number; suffix: string; convert: (cell: SourceCell) => SourceCell }[];
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
  const flags: (SetMember & Flag)[] = [];
  for (const member of members) {
    const flag = flagOf(set.countedValue, member.column.variable, member.scan);
    if (flag === null) return `has ${member.column.header}, which holds more than two values`;
    flags.push({ ...member, ...flag });
  }
  const { coded, areOwn } = withOptionCodes(set.name, flags);
  return {
    question: {
      question_type: 'multiple_choice',
      question_text: questionText(set.label, set.name),
      question_settings: {
        variable: {
          name: truncateText(set.name, 64),
          label: truncateText(set.label, 255),
          counted: set.countedValue,
          members: coded.map(({ optionCode, column: { header, label, variable }, other }) => ({
            option_code: optionCode,
            name: truncateText(header, 64),
            label: label === null ? null : truncateText(label, 255),
            format: variable.kind === 'string' ? NUMBER_FORMAT : variable.format,
            other,
            ...memberDetails(variable),
          })),
        },
      },
      options: coded.map(({ optionCode, column }) => ({
        option_label: optionLabel(countedLabel(set, column) ?? memberLabel(set, column), column.header),
        option_value: areOwn ? String(optionCode) : column.header,
        option_code: optionCode,
      })),
    },
    members: coded.map(({ index, optionCode, convert }) => ({
      index,
      suffix: codeSuffix(optionCode),
      convert,
    })),
    notes: isPartlyEmpty(members) ? [PARTLY_EMPTY] : [],
  };
}

/** What an export needs of a variable of a set; a variable of texts becomes one of numbers, without its labels and missing values. */
function memberDetails(variable: SourceVariable) {
  if (variable.kind === 'string') return {};
  const { missing, missingRange, measure } = variable;
  const labels = labelsForExport(variable);
  return {
    ...(measure !== null && { measure }),
    ...(labels.length > 0 && { value_labels: labels }),
    ...(missing.length > 0 && { missing: [...missing] }),
    ...(missingRange !== null && { missing_range: missingRange }),
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

interface Flag {
  convert: (cell: SourceCell) => SourceCell;
  /** The value that is not counted. */
  other: number;
}

/** Converts the counted value to 1 and the other to 0; null if the variable has more values. */
function flagOf(counted: string, variable: SourceVariable, scan: ColumnScan): Flag | null {
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

/**
 * Adds option codes: the numbers in variables named like the set, so that re-imported exports keep their option codes, otherwise 1 to n.
 * `areOwn`: whether they are the numbers in the names.
 */
function withOptionCodes<M extends SetMember>(
  name: string,
  members: readonly M[],
): { coded: (M & { optionCode: number })[]; areOwn: boolean } {
  const named = members.flatMap((member) => {
    const { header } = member.column;
    if (!header.toLowerCase().startsWith(`${name.toLowerCase()}_`)) return [];
    const [, minus, digits] = /^(m?)(0|[1-9]\d{0,8})$/.exec(header.slice(name.length + 1)) ?? [];
    if (digits === undefined) return [];
    return [{ ...member, optionCode: Number(digits) * (minus === 'm' ? -1 : 1) }];
  });
  const areOwn =
    named.length === members.length &&
    new Set(named.map(({ optionCode }) => optionCode)).size === named.length;
  return { coded: areOwn ? named : members.map((member, i) => ({ ...member, optionCode: i + 1 })), areOwn };
}

/** The label of the counted value, if the set takes the labels of its options from there; null: there is none. */
function countedLabel(
  { labelsAre, countedValue }: SourceSet & { countedValue: string },
  { variable }: SetMember['column'],
): string | null {
  if (labelsAre === 'variables') return null;
  const [, label = ''] = variable.valueLabels.find(([value]) => String(value).trim() === countedValue) ?? [];
  return label.trim() === '' ? null : label;
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
