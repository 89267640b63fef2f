import type { ColumnScan } from './column-scan.ts';
import type { GroupScan } from './group-scan.ts';
import { MAX_NUMBER_CATEGORIES, MAX_CATEGORY_CHARACTERS, sortedCategories } from './plan-table-column.ts';
import { optionLabel, type PlannedGroup, questionText } from './planned-variable.ts';
import type { ColumnGroup, GroupPart, SourceCell } from './source-file.ts';

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

const codeSuffix = (code: number) => `_${code < 0 ? `m${-code}` : code}`;

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
