import { truncateText } from '../../lib/truncate-text.ts';
import { joinLabels } from '../questions/answers/codec.ts';
import type { HeaderRows, RecognizedTable } from './header-cells.ts';
import { NO_REWRITE } from './header-cells.ts';
import type { SourceColumn } from './source-file.ts';

/** Rows above the header that are searched for it. */
const MAX_TITLE_ROWS = 25;
const MAX_NOTE_CHARACTERS = 200;
/** Rows used to find a header below titles. */
export const HEADER_SAMPLE_ROWS = 60;
/** Numbers, dates and times, if there is a digit. */
const NUMERIC = /^[+\-−]?[\d.,:/'’\s-]+%?$/;
const VALUE_WORD = /^(?:NA|NaN|NULL|true|false)$/i;

const isValue = (cell: string) => (NUMERIC.test(cell) && /\d/.test(cell)) || VALUE_WORD.test(cell);
const countFilled = (row: readonly string[]) => row.filter((cell) => cell !== '').length;

/** Where the header of a table is. `refused`: why it cannot be found. */
type HeaderPosition =
  { kind: 'found'; titleRows: number; isMerged: boolean } | { kind: 'refused'; reason: string };

/**
 * Finds the header of a plain table below titles ("Report of survey", "Exported on …", blank rows), and whether it has two rows: groups
 * above names. A row of names is above values of another kind, or below a blank row.
 */
function findHeader(rows: HeaderRows): HeaderPosition {
  const found = (titleRows: number): HeaderPosition => {
    const isMerged = isGroupHeader(rows, titleRows);
    return { kind: 'found', titleRows, isMerged };
  };
  const first = rows.findIndex((row) => countFilled(row) > 0);
  const top = rows[first];
  if (top === undefined) return found(0);
  const width = Math.max(...rows.map(countFilled));
  const isTitle = (row: readonly string[]) => 2 * countFilled(row) <= width;
  const isNarrow = (row: readonly string[]) => isTitle(row) || countFilled(row) < Math.min(3, width);
  if (!isNarrow(top) || isGroupHeader(rows, first)) return found(first);
  const below = rows.findIndex((row, index) => index > first && !isNarrow(row));
  const header = rows[below];
  if (header === undefined || below > first + MAX_TITLE_ROWS || !isHeader(header)) return found(first);
  const hasBlankRow = rows.slice(first, below).some((row) => countFilled(row) === 0);
  if (hasBlankRow || (isTitle(top) && isAboveOtherKind(rows, below))) return found(below);
  if (width < 3 || countFilled(top) > 1 || top[0] === '') return found(first);
  return {
    kind: 'refused',
    reason:
      `row ${first + 1} names only one of ${width} columns. If it is a title, remove the rows above the names of the columns; ` +
      'if it is the header, name every column or send layout=plain',
  };
}

/** Whether the cells can be names of columns: different texts, within each group if there are `groups`. */
function isHeader(row: readonly string[], groups: readonly string[] = []): boolean {
  let group = '';
  const names = row.flatMap((name, column) => {
    group = groups[column] || group;
    return name === '' ? [] : [{ name, key: JSON.stringify([group, name]) }];
  });
  const keys = new Set(names.map(({ key }) => key));
  return names.length > 0 && keys.size === names.length && !names.some(({ name }) => isValue(name));
}

/** Whether a text of the row is above values: numbers, dates, or a few texts that recur and of which it is none. */
function isAboveOtherKind(rows: HeaderRows, index: number): boolean {
  const below = rows.slice(index + 1);
  let recurring = 0;
  for (const [column, name] of (rows[index] ?? []).entries()) {
    if (name === '') continue;
    const cells = below.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    if (cells.length > 0 && cells.every(isValue)) return true;
    if (cells.length >= 4 && !cells.includes(name) && 2 * new Set(cells).size <= cells.length) recurring += 1;
  }
  return recurring >= 2;
}

/** Whether the row has labels of groups, and the next one the names of the columns below them. */
function isGroupHeader(rows: HeaderRows, index: number): boolean {
  const groups = rows[index] ?? [];
  const names = rows[index + 1] ?? [];
  const below = rows.slice(index + 2);
  if (below.length === 0 || countFilled(groups) === 0 || !isHeader(names, groups)) return false;
  const columns = groups.map((group, column) => ({
    group,
    name: names[column] ?? '',
    isUsed: below.some((row) => (row[column] ?? '') !== ''),
  }));
  const firstGap = columns.findIndex(({ group }) => group === '');
  const isSpread = columns.some(
    ({ group, name }, column) => group !== '' && (column > firstGap || name === ''),
  );
  return (
    firstGap >= 0 &&
    isSpread &&
    columns.some(({ group, name }) => group === '' && name !== '') &&
    columns.every(({ group, name, isUsed }) => group !== '' || name !== '' || !isUsed) &&
    isAboveOtherKind(rows, index + 1)
  );
}

/** The columns of a header with two rows; names that occur twice are preceded by their group. */
function mergedColumns(groups: readonly string[], names: readonly string[]): SourceColumn[] {
  let group = '';
  const described = groups.map((top, column) => {
    const name = names[column] ?? '';
    if (top !== '') group = top;
    if (name === '') {
      group = '';
      return { header: top, label: null };
    }
    return { header: name, label: group === '' ? null : joinLabels(group, name) };
  });
  const counts = new Map<string, number>();
  for (const { header } of described) counts.set(header, (counts.get(header) ?? 0) + 1);
  return described.map(({ header, label }) => ({
    header: (counts.get(header) ?? 0) > 1 ? (label ?? header) : header,
    label,
    variable: null,
  }));
}

/** Recognizes a plain table; a text: why its header cannot be found. */
export function findPlainTable(rows: HeaderRows): RecognizedTable | string {
  const position = findHeader(rows);
  if (position.kind === 'refused') return position.reason;
  const { titleRows, isMerged } = position;
  const header = rows[titleRows] ?? [];
  const columns = isMerged
    ? mergedColumns(header, rows[titleRows + 1] ?? [])
    : header.map((name): SourceColumn => ({ header: name, label: null, variable: null }));
  const notes: string[] = [];
  const titles = rows.slice(0, titleRows).flatMap((row) => row.filter((cell) => cell !== ''));
  if (titles.length > 0)
    notes.push(
      `Row ${titleRows + 1} is read as the header. The rows above it are not imported: ${truncateText(titles.join(' · '), MAX_NOTE_CHARACTERS)}`,
    );
  if (isMerged) notes.push('The header has two rows: groups of columns, and their names');
  const headerRows = titleRows + (isMerged ? 2 : 1);
  return {
    layout: { name: 'plain', headerRows, groups: [], timeZone: null },
    columns,
    rewrite: NO_REWRITE,
    notes,
  };
}
