import type { ColumnGroup, ColumnRole, GroupPart, SourceColumn } from '../source-file.ts';
import {
  commonPrefix,
  groupBy,
  type HeaderRows,
  NO_REWRITE,
  PERSONAL_NAMES,
  type RecognizedTable,
  normalizeHeader,
} from './header-cells.ts';

/** Standard columns by normalized name in any header row. */
const ROLES: ReadonlyMap<string, ColumnRole> = new Map([
  ['responseid', 'submission_id'],
  ['recordid', 'submission_id'],
  ['startdate', 'started_at'],
  ['enddate', 'completed_at'],
  ['durationinseconds', 'duration_seconds'],
  ['duration', 'duration_seconds'],
  ['userlanguage', 'language'],
  ['finished', 'finished'],
  ['status', 'response_type'],
  ['responsetype', 'response_type'],
  ['ipaddress', 'ip_address'],
  ['externalreference', 'external_id'],
  ['externaldatareference', 'external_id'],
]);
const OTHER_NAMES = new Set([
  ...PERSONAL_NAMES,
  'responseset',
  'responsesetid',
  'progress',
  'recordeddate',
  'distributionchannel',
  'locationaccuracy',
]);
const isKnown = (name: string) => ROLES.has(name) || OTHER_NAMES.has(name);
/** Minimum number of standard columns that identify a second header row. */
const MIN_KNOWN = 4;
const IMPORT_ID = /^\s*\{\s*['"]ImportId['"]\s*:\s*(['"])(.*?)\1/;
const TIME_ZONE = /['"]timeZone['"]\s*:\s*(['"])(.*?)\1/;
/** `Q2_1`, `Q44_1_1`, `Q2_-1`, `Q4#1_1`. */
const NUMBERED = /^(.+?)_(-?\d+)(?:_(-?\d+))?$/;
/** `QID2-1`, `QID44-1-1`, `QID4#1-2`, `QID2_1`; a minus sign belongs to the number: `QID2--1`. */
const IMPORT_PARTS = /^((?:\d+_)?QID\d+(?:#\d+)?)[-_](-?\d+)(?:[-_](-?\d+))?$/;
const DASH = /\s?-\s?/g;

const importIdOf = (cell: string) => IMPORT_ID.exec(cell)?.[2] ?? null;

/** Returns the third header row if it consists of Qualtrics import ids, below codes and texts; null: there is none. */
export function importIdRow([, , row = []]: HeaderRows): readonly string[] | null {
  const filled = row.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => IMPORT_ID.test(cell)) ? row : null;
}

/** Whether there are two header rows: codes (`V1` to `V10` in old exports, else names) and texts that repeat the names. */
export function hasNamedSecondRow([codes = [], texts = []]: HeaderRows): boolean {
  const known = codes.filter((code, i) => {
    const name = normalizeHeader(texts[i] ?? '');
    const isOld = /^V\d+$/.test(code);
    return isKnown(name) && (isOld || isKnown(normalizeHeader(code)));
  });
  return known.length >= MIN_KNOWN;
}

export function readQualtricsTable(rows: HeaderRows): RecognizedTable {
  const [codes = [], texts = []] = rows;
  const ids = importIdRow(rows);
  let timeZone: string | null = null;
  const columns = codes.map((code, i): SourceColumn => {
    const text = texts[i] ?? '';
    const importId = ids === null ? null : importIdOf(ids[i] ?? '');
    const zone = ids === null ? undefined : TIME_ZONE.exec(ids[i] ?? '')?.[2];
    if (zone !== undefined) timeZone ??= zone === 'Z' ? 'UTC' : zone;
    const base = { header: code, label: text === '' ? null : text, variable: null };
    const name = metadataName(code, text, importId);
    if (name === null) return base;
    const role = ROLES.get(name);
    const isPersonal = PERSONAL_NAMES.has(name);
    return { ...base, ...(role === undefined ? {} : { role }), ...(isPersonal ? { isPersonal } : {}) };
  });
  const groups = groupsOfQuestions(columns, ids === null ? null : ids.map(importIdOf));
  const layout = { name: 'qualtrics', headerRows: ids === null ? 2 : 3, groups, timeZone } as const;
  return { layout, columns, rewrite: NO_REWRITE };
}

/** Returns the name of a standard column; null: it belongs to a question. */
function metadataName(code: string, text: string, importId: string | null): string | null {
  if (importId !== null) {
    if (/QID\d/.test(importId)) return null;
    const name = normalizeHeader(importId.replace(/^(panel|Location)-/, ''));
    return isKnown(name) ? name : null;
  }
  const name = normalizeHeader(text);
  return isKnown(name) && (/^V\d+$/.test(code) || isKnown(normalizeHeader(code))) ? name : null;
}

interface Part {
  index: number;
  question: string;
  /** The key of the option, or of the row of a grid. */
  key: string;
  /** The key of the option in a grid, else null. */
  optionKey: string | null;
  header: string;
  label: string;
}

function groupsOfQuestions(
  columns: readonly SourceColumn[],
  importIds: readonly (string | null)[] | null,
): ColumnGroup[] {
  const parts = columns.flatMap(({ header, label, role }, index): Part[] => {
    if (role !== undefined) return [];
    const match = importIds === null ? NUMBERED.exec(header) : IMPORT_PARTS.exec(importIds[index] ?? '');
    const [, question, key, optionKey = null] = match ?? [];
    if (question === undefined || key === undefined) return [];
    return [{ index, question, key, optionKey, header, label: label ?? '' }];
  });
  const byQuestion = groupBy(parts, ({ question }) => question);
  return [...byQuestion.values()].flatMap((members) => createGroup(members) ?? []);
}

/** Groups the columns of one question if their texts agree: "question-option", "question-row", or "question-row-option". */
function createGroup(parts: readonly [Part, ...Part[]]): ColumnGroup | null {
  const cells = parts.flatMap(({ optionKey, ...part }) => (optionKey === null ? [] : { ...part, optionKey }));
  const keys = new Set(parts.map(({ key, optionKey }) => `${key} ${optionKey ?? ''}`));
  if (parts.length < 2 || keys.size < parts.length) return null;
  if (cells.length > 0 && cells.length < parts.length) return null;
  const start = commonPrefix(
    parts.map(({ label }) => label),
    DASH,
  );
  if (start === '') return null;
  const group = { name: questionName(parts), text: start.replace(/[\s-]+$/, '') };
  const rest = ({ label }: Pick<Part, 'label'>) => label.slice(start.length).trim();
  if (cells.length === 0) {
    const members = parts.map((part) => {
      return { index: part.index, part: { key: part.key, label: rest(part) }, option: null };
    });
    return { ...group, members };
  }
  const options = new Map<string, GroupPart>();
  const members: ColumnGroup['members'][number][] = [];
  for (const [rowKey, rowCells] of groupBy(cells, ({ key }) => key)) {
    const rowText = commonPrefix(rowCells.map(rest), DASH);
    const row = { key: rowKey, label: rowText.replace(/[\s-]+$/, '') };
    for (const cell of rowCells) {
      const label = rest(cell).slice(rowText.length).trim();
      const option = options.get(cell.optionKey) ?? { key: cell.optionKey, label };
      if (option.label !== label) return null;
      options.set(option.key, option);
      members.push({ index: cell.index, part: row, option });
    }
  }
  members.sort((a, b) => a.index - b.index);
  return { ...group, members };
}

/** Returns the common prefix of the column codes: `Q2` of `Q2_1`, `Q44` of `Q44_Q44_1_1`. */
function questionName(parts: readonly [Part, ...Part[]]): string {
  const start = commonPrefix(
    parts.map(({ header }) => header),
    /_/g,
  ).replace(/_+$/, '');
  return start.replace(/^(.+)_\1$/, '$1') || parts[0].question;
}
