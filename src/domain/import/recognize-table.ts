import type { ColumnGroup, ColumnRole, GroupPart, LayoutName, SourceColumn } from './source-file.ts';
import {
  commonPrefix,
  createGroups,
  groupBy,
  type HeaderRows,
  NO_REWRITE,
  normalizeHeader,
  PERSONAL_NAMES,
  questionnaireOfTable,
  type RecognizedTable,
} from './header-cells.ts';
import { joinLabels } from '../questions/answers/codec.ts';
import { findPlainTable, HEADER_SAMPLE_ROWS } from './find-header.ts';
import { trimCharactersEnd } from '../../lib/trim-characters.ts';

/** Standard columns by normalized name in any header row. */
const QUALTRICS_ROLES: ReadonlyMap<string, ColumnRole> = new Map([
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
const OTHER_QUALTRICS_NAMES = new Set([
  ...PERSONAL_NAMES,
  'responseset',
  'responsesetid',
  'progress',
  'recordeddate',
  'distributionchannel',
  'locationaccuracy',
]);
const isQualtricsName = (name: string) => QUALTRICS_ROLES.has(name) || OTHER_QUALTRICS_NAMES.has(name);
/** Minimum number of standard columns that identify a second header row. */
const MIN_QUALTRICS_NAMES = 4;
const IMPORT_ID = /^\s*\{\s*['"]ImportId['"]\s*:\s*(['"])(.*?)\1/;
const TIME_ZONE = /['"]timeZone['"]\s*:\s*(['"])(.*?)\1/;
/** `Q2_1`, `Q44_1_1`, `Q2_-1`, `Q4#1_1`. */
const NUMBERED = /^(.+?)_(-?\d+)(?:_(-?\d+))?$/;
/** `QID2-1`, `QID44-1-1`, `QID4#1-2`, `QID2_1`; a minus sign belongs to the number: `QID2--1`. */
const IMPORT_PARTS = /^((?:\d+_)?QID\d+(?:#\d+)?)[-_](-?\d+)(?:[-_](-?\d+))?$/;
const DASH = /\s?-\s?/g;

const importIdOf = (cell: string) => IMPORT_ID.exec(cell)?.[2] ?? null;

/** Returns the third header row if it consists of Qualtrics import ids, below codes and texts; null: there is none. */
function importIdRow([, , row = []]: HeaderRows): readonly string[] | null {
  const filled = row.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => IMPORT_ID.test(cell)) ? row : null;
}

/** Whether there are two header rows: codes (`V1` to `V10` in old exports, else names) and texts that repeat the names. */
function hasNamedSecondRow([codes = [], texts = []]: HeaderRows): boolean {
  const known = codes.filter((code, i) => {
    const name = normalizeHeader(texts[i] ?? '');
    const isOld = /^V\d+$/.test(code);
    return isQualtricsName(name) && (isOld || isQualtricsName(normalizeHeader(code)));
  });
  return known.length >= MIN_QUALTRICS_NAMES;
}

function readQualtricsTable(rows: HeaderRows): RecognizedTable {
  const [codes = [], texts = []] = rows;
  const ids = importIdRow(rows);
  let timeZone: string | null = null;
  const columns = codes.map((code, i): SourceColumn => {
    const text = texts[i] ?? '';
    const importId = ids === null ? null : importIdOf(ids[i] ?? '');
    const zone = ids === null ? undefined : TIME_ZONE.exec(ids[i] ?? '')?.[2];
    if (zone !== undefined) timeZone ??= zone === 'Z' ? 'UTC' : zone;
    const base = { header: code, label: text === '' ? null : text, variable: null };
    const name = qualtricsMetadataName(code, text, importId);
    if (name === null) return base;
    const role = QUALTRICS_ROLES.get(name);
    const isPersonal = PERSONAL_NAMES.has(name);
    return { ...base, ...(role === undefined ? {} : { role }), ...(isPersonal ? { isPersonal } : {}) };
  });
  const groups = groupsOfQualtricsQuestions(columns, ids === null ? null : ids.map(importIdOf));
  const layout = { name: 'qualtrics', headerRows: ids === null ? 2 : 3, groups, timeZone } as const;
  return { layout, columns, rewrite: NO_REWRITE };
}

/** Returns the name of a standard column; null: it belongs to a question. */
function qualtricsMetadataName(code: string, text: string, importId: string | null): string | null {
  if (importId !== null) {
    if (/QID\d/.test(importId)) return null;
    const name = normalizeHeader(importId.replace(/^(panel|Location)-/, ''));
    return isQualtricsName(name) ? name : null;
  }
  const name = normalizeHeader(text);
  return isQualtricsName(name) && (/^V\d+$/.test(code) || isQualtricsName(normalizeHeader(code)))
    ? name
    : null;
}

interface QualtricsPart {
  index: number;
  question: string;
  /** The key of the option, or of the row of a grid. */
  key: string;
  /** The key of the option in a grid, else null. */
  optionKey: string | null;
  header: string;
  label: string;
}

function groupsOfQualtricsQuestions(
  columns: readonly SourceColumn[],
  importIds: readonly (string | null)[] | null,
): ColumnGroup[] {
  const parts = columns.flatMap(({ header, label, role }, index): QualtricsPart[] => {
    if (role !== undefined) return [];
    const match = importIds === null ? NUMBERED.exec(header) : IMPORT_PARTS.exec(importIds[index] ?? '');
    const [, question, key, optionKey = null] = match ?? [];
    if (question === undefined || key === undefined) return [];
    return [{ index, question, key, optionKey, header, label: label ?? '' }];
  });
  const byQuestion = groupBy(parts, ({ question }) => question);
  return [...byQuestion.values()].flatMap((members) => createQualtricsGroup(members) ?? []);
}

/** Groups the columns of one question if their texts agree: "question-option", "question-row", or "question-row-option". */
function createQualtricsGroup(parts: readonly [QualtricsPart, ...QualtricsPart[]]): ColumnGroup | null {
  const cells = parts.flatMap(({ optionKey, ...part }) => (optionKey === null ? [] : { ...part, optionKey }));
  const keys = new Set(parts.map(({ key, optionKey }) => `${key} ${optionKey ?? ''}`));
  if (parts.length < 2 || keys.size < parts.length) return null;
  if (cells.length > 0 && cells.length < parts.length) return null;
  const start = commonPrefix(
    parts.map(({ label }) => label),
    DASH,
  );
  if (start === '') return null;
  const group = { name: questionName(parts), text: trimCharactersEnd(start, /[\s-]/) };
  const rest = ({ label }: Pick<QualtricsPart, 'label'>) => label.slice(start.length).trim();
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
    const row = { key: rowKey, label: trimCharactersEnd(rowText, /[\s-]/) };
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
function questionName(parts: readonly [QualtricsPart, ...QualtricsPart[]]): string {
  const prefix = commonPrefix(
    parts.map(({ header }) => header),
    /_/g,
  );
  const start = trimCharactersEnd(prefix, /_/);
  const half = start.slice(0, (start.length - 1) / 2);
  return (start === `${half}_${half}` ? half : start) || parts[0].question;
}

/** By normalized code and full text. */
const LIMESURVEY_ROLES: ReadonlyMap<string, ColumnRole> = new Map([
  ['id', 'submission_id'],
  ['responseid', 'submission_id'],
  ['submitdate', 'submitted_at'],
  ['datesubmitted', 'submitted_at'],
  ['startdate', 'started_at'],
  ['datestarted', 'started_at'],
  ['startlanguage', 'language'],
  ['ipaddr', 'ip_address'],
  ['ipaddress', 'ip_address'],
  ['token', 'external_id'],
  ['accesscode', 'external_id'],
  ['interviewtime', 'duration_seconds'],
  ['totaltime', 'duration_seconds'],
]);
const OTHER_LIMESURVEY_NAMES = new Set([
  'lastpage',
  'seed',
  'datestamp',
  'refurl',
  'datelastaction',
  'referrerurl',
]);
/** Names specific to LimeSurvey. Two of them, and three known names in total, identify an export. */
const OWN_LIMESURVEY_NAMES = new Set([
  'submitdate',
  'lastpage',
  'startlanguage',
  'datestamp',
  'refurl',
  'ipaddr',
  'datesubmitted',
  'startlanguage',
  'datelastaction',
  'referrerurl',
]);
const MIN_LIMESURVEY_NAMES = 3;
const MIN_OWN_NAMES = 2;
/** `Q2. What do you drink? [Tea]`: headers with code and text. */
const CODE_AND_TEXT = /^([A-Za-z][A-Za-z0-9_]*(?:\[[^\]]*\])*)\.\s+(\S.*)$/s;
/** `Q2[SQ001]`, `Q5[SQ001][1]`. */
const CODED_PART = /^([A-Za-z][A-Za-z0-9_]*)\[([^\]]+)\](?:\[([^\]]+)\])?$/;
/** `What do you drink? [Tea]`. */
const TEXT_PART = /^(.*\S)\s*\[([^[\]]+)\](?:\[([^[\]]+)\])?$/s;
const FREE_TEXT = /^(other|comment|filecount)$|comment$/i;
const GRID_PART = /^([^_]+)_([^_]+)$/;

interface Header {
  code: string;
  text: string | null;
}

function parseHeaders(headers: readonly string[]): Header[] {
  const areBoth = headers.some((header) => /^(id|submitdate|lastpage)\. /.test(header));
  return headers.map((header) => {
    const [, code, text = ''] = (areBoth ? CODE_AND_TEXT.exec(header) : null) ?? [];
    return code === undefined ? { code: header, text: null } : { code, text };
  });
}

function isLimeSurveyHeader(headers: readonly string[]): boolean {
  const names = [...new Set(parseHeaders(headers).map(({ code }) => normalizeHeader(code)))];
  const known = names.filter((name) => LIMESURVEY_ROLES.has(name) || OTHER_LIMESURVEY_NAMES.has(name));
  return (
    known.length >= MIN_LIMESURVEY_NAMES &&
    names.filter((name) => OWN_LIMESURVEY_NAMES.has(name)).length >= MIN_OWN_NAMES
  );
}

const isLimeSurvey = ([headers = []]: HeaderRows): boolean => isLimeSurveyHeader(headers);

/** Texts above codes: a VV file, which uses special escapes. */
const isVerifiedData = ([texts = [], codes = []]: HeaderRows): boolean =>
  !isLimeSurveyHeader(texts) && isLimeSurveyHeader(codes) && normalizeHeader(codes[0] ?? '') === 'id';

function readLimeSurveyTable([headers = []]: HeaderRows): RecognizedTable {
  const parts: Parameters<typeof createGroups>[0][number][] = [];
  const columns = parseHeaders(headers).map(({ code, text }, index): SourceColumn => {
    const role = LIMESURVEY_ROLES.get(normalizeHeader(code));
    const column = { header: code, label: text, variable: null };
    if (role !== undefined) return { ...column, role };
    const [, question, sub, scale] = CODED_PART.exec(code) ?? TEXT_PART.exec(code) ?? [];
    if (question === undefined || sub === undefined || FREE_TEXT.test(sub)) return column;
    const [, questionText = question, rowText, optionText] = TEXT_PART.exec(text ?? '') ?? [];
    const [, row, option] = GRID_PART.exec(sub) ?? [];
    const member =
      row === undefined || option === undefined
        ? { index, part: { key: sub, label: rowText ?? sub }, option: null }
        : {
            index,
            part: { key: row, label: rowText ?? row },
            option: { key: option, label: optionText ?? option },
          };
    parts.push({ name: scale === undefined ? question : `${question}_${scale}`, text: questionText, member });
    return column;
  });
  const layout = { name: 'limesurvey', headerRows: 1, groups: createGroups(parts), timeZone: null } as const;
  return { layout, columns, rewrite: NO_REWRITE };
}

const SURVEYMONKEY_ROLES: ReadonlyMap<string, ColumnRole> = new Map([
  ['respondentid', 'submission_id'],
  ['startdate', 'started_at'],
  ['datecreated', 'started_at'],
  ['enddate', 'completed_at'],
  ['datemodified', 'completed_at'],
  ['ipaddress', 'ip_address'],
]);
/** Second-row text of questions with one column. */
const WHOLE_QUESTION = new Set(['response', 'openendedresponse']);

/** Whether the option is the text of another one: "Other", "Other (please specify)". */
function isOtherText(option: string): boolean {
  const text = option.toLowerCase();
  if (text === 'other') return true;
  if (!/^other\b/.test(text)) return false;
  const open = text.indexOf('(');
  const specify = open < 0 ? -1 : text.indexOf('specify', open);
  return specify >= 0 && text.includes(')', specify);
}

/** 10/31/2026 09:15:00 PM, month first. */
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AP]M)?)?$/i;

/** Whether questions are above options, with nothing below the respondent columns. */
function hasOptionsBelow([questions = [], options = []]: HeaderRows): boolean {
  const first = questions.findIndex((text) => text !== '');
  if (normalizeHeader(questions[first] ?? '') !== 'respondentid' || (options[first] ?? '') !== '')
    return false;
  const isContinued = questions.every((text, i) => i < first || text !== '' || (options[i] ?? '') !== '');
  return (
    isContinued && options.some((option, i) => WHOLE_QUESTION.has(normalizeHeader(option)) || !questions[i])
  );
}

function readSurveyMonkeyTable([questions = [], options = []]: HeaderRows): RecognizedTable {
  const rewrite = new Map<number, (cell: string) => string>();
  let question = '';
  let number = 0;
  let first = 0;
  const parts: Parameters<typeof createGroups>[0][number][] = [];
  const columns = questions.map((text, index): SourceColumn => {
    const option = options[index] ?? '';
    const base = { label: null, variable: null };
    const name = normalizeHeader(text);
    const role = option === '' ? SURVEYMONKEY_ROLES.get(name) : undefined;
    if (role !== undefined) {
      if (role === 'started_at' || role === 'completed_at') rewrite.set(index, americanToIso);
      return { ...base, header: text, role };
    }
    if (option === '') {
      const isPersonal = PERSONAL_NAMES.has(name);
      return { ...base, header: text, ...(isPersonal ? { isPersonal } : {}) };
    }
    if (text !== '') [question, number, first] = [text, number + 1, index];
    if (WHOLE_QUESTION.has(normalizeHeader(option))) return { ...base, header: question, code: `Q${number}` };
    const header = joinLabels(question, option);
    const code = `Q${number}_${index - first + 1}`;
    if (!isOtherText(option)) {
      const part = { key: option, label: option };
      parts.push({ name: `Q${number}`, text: question, member: { index, part, option: null } });
    }
    return { ...base, header, code };
  });
  const layout = {
    name: 'surveymonkey',
    headerRows: 2,
    groups: createGroups(parts),
    timeZone: null,
  } as const;
  return { layout, columns, rewrite };
}

function americanToIso(cell: string): string {
  const [all, month = '', day = '', year = '', hour, minute = '00', second = '00', amOrPm] =
    AMERICAN.exec(cell.trim()) ?? [];
  if (all === undefined) return cell;
  const padTwo = (text: string | number) => String(text).padStart(2, '0');
  const date = `${year}-${padTwo(month)}-${padTwo(day)}`;
  if (hour === undefined) return date;
  const isAfternoon = amOrPm?.toUpperCase() === 'PM';
  const hours = amOrPm === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return `${date}T${padTwo(hours)}:${minute}:${second}`;
}

/** Number of rows used to recognize a layout. */
export const MAX_HEADER_ROWS = HEADER_SAMPLE_ROWS;
/** Number of rows used to recognize the layout of a tool. */
const TOOL_HEADER_ROWS = 3;

export type TableRecognition =
  | { kind: 'data'; table: RecognizedTable }
  /** A questionnaire, or an unsupported data format: its name. */
  | { kind: 'questionnaire' | 'unsupported'; what: string }
  /** The layout requested by the client does not match. */
  | { kind: 'mismatch'; expected: string }
  /** The header cannot be found. */
  | { kind: 'no_header'; reason: string };

const EXPECTED: Record<LayoutName, string> = {
  plain: 'one header row',
  qualtrics:
    'a second header row with the texts of the questions, and a third with ImportIds in newer exports',
  surveymonkey:
    'a first column RespondentID with nothing below its header, and options in a second header row',
  limesurvey: 'columns such as id, submitdate, lastpage and startlanguage, by code or by full text',
};

function plainTable([headers = []]: HeaderRows): RecognizedTable {
  const columns = headers.map((header): SourceColumn => ({ header, label: null, variable: null }));
  return {
    layout: { name: 'plain', headerRows: 1, groups: [], timeZone: null },
    columns,
    rewrite: NO_REWRITE,
  };
}

/** Recognizes the layout of a table from its first rows, with the blank ones; `wanted` null: detect it. */
export function recognizeTable(allRows: HeaderRows, wanted: LayoutName | null): TableRecognition {
  const filledRows = allRows.filter((row) => row.some((cell) => cell !== ''));
  if (wanted === 'plain') return { kind: 'data', table: withBlankRows(plainTable(filledRows), allRows) };
  const rows = filledRows.slice(0, TOOL_HEADER_ROWS);
  const questionnaire = questionnaireOfTable(rows);
  if (questionnaire !== null) return { kind: 'questionnaire', what: questionnaire };
  if (isVerifiedData(rows)) {
    const what = 'a LimeSurvey VV file; export the responses as CSV or Excel instead';
    return { kind: 'unsupported', what };
  }
  const isQualtrics = importIdRow(rows) !== null || hasNamedSecondRow(rows);
  const found = isQualtrics
    ? readQualtricsTable(rows)
    : hasOptionsBelow(rows)
      ? readSurveyMonkeyTable(rows)
      : isLimeSurvey(rows)
        ? readLimeSurveyTable(rows)
        : findPlainTable(allRows);
  if (typeof found === 'string')
    return wanted === null
      ? { kind: 'no_header', reason: found }
      : { kind: 'mismatch', expected: EXPECTED[wanted] };
  if (wanted !== null && found.layout.name !== wanted)
    return { kind: 'mismatch', expected: EXPECTED[wanted] };
  return { kind: 'data', table: found.layout.name === 'plain' ? found : withBlankRows(found, allRows) };
}

/** Counts the blank rows above and between the header rows as header rows. */
function withBlankRows(table: RecognizedTable, allRows: HeaderRows): RecognizedTable {
  let filledRows = 0;
  const last = allRows.findIndex((row) => {
    if (row.some((cell) => cell !== '')) filledRows += 1;
    return filledRows === table.layout.headerRows;
  });
  const headerRows = last < 0 ? table.layout.headerRows : last + 1;
  return { ...table, layout: { ...table.layout, headerRows } };
}
