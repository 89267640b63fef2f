import type { ColumnRole, LayoutName, SourceColumn } from '../source-file.ts';
import {
  createGroups,
  type HeaderRows,
  NO_REWRITE,
  normalizeHeader,
  PERSONAL_NAMES,
  questionnaireOfTable,
  type RecognizedTable,
} from './header-cells.ts';
import { joinLabels } from '../../answers/codec.ts';
import { hasNamedSecondRow, importIdRow, readQualtricsTable } from './qualtrics.ts';

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
const OTHER_NAMES = new Set([
  ...['lastpage', 'seed', 'datestamp', 'refurl'],
  ...['datelastaction', 'referrerurl'],
]);
/** Names specific to LimeSurvey. Two of them, and three known names in total, identify an export. */
const OWN_NAMES = new Set([
  ...['submitdate', 'lastpage', 'startlanguage', 'datestamp', 'refurl', 'ipaddr'],
  ...['datesubmitted', 'startlanguage', 'datelastaction', 'referrerurl'],
]);
const MIN_KNOWN = 3;
const MIN_OWN = 2;
/** `Q2. What do you drink? [Tea]`: headers with code and text. */
const CODE_AND_TEXT = /^([A-Za-z][A-Za-z0-9_]*(?:\[[^\]]*\])*)\.\s+(.*)$/s;
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
  const known = names.filter((name) => LIMESURVEY_ROLES.has(name) || OTHER_NAMES.has(name));
  return known.length >= MIN_KNOWN && names.filter((name) => OWN_NAMES.has(name)).length >= MIN_OWN;
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
const OTHER_TEXT = /^other\b.*\(.*specify.*\)|^other$/i;
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
    if (!OTHER_TEXT.test(option)) {
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
export const MAX_HEADER_ROWS = 3;

export type TableRecognition =
  | { kind: 'data'; table: RecognizedTable }
  /** A questionnaire, or an unsupported data format: its name. */
  | { kind: 'questionnaire' | 'unsupported'; what: string }
  /** The layout requested by the client does not match. */
  | { kind: 'mismatch'; expected: string };

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

/** Recognizes the layout of a table from its first rows; `wanted` null: detect it. */
export function recognizeTable(rows: HeaderRows, wanted: LayoutName | null): TableRecognition {
  if (wanted === 'plain') return { kind: 'data', table: plainTable(rows) };
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
        : plainTable(rows);
  if (wanted !== null && found.layout.name !== wanted)
    return { kind: 'mismatch', expected: EXPECTED[wanted] };
  return { kind: 'data', table: found };
}
