import type { ColumnRole } from '../column-roles.ts';
import type { SourceColumn } from '../source-file.ts';
import {
  createGroups,
  type HeaderRows,
  NO_REWRITE,
  type RecognizedTable,
  normalizeHeader,
} from './header-cells.ts';

/** By normalized code and full text. */
const ROLES: ReadonlyMap<string, ColumnRole> = new Map([
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
    const [, code, text] = (areBoth ? CODE_AND_TEXT.exec(header) : null) ?? [];
    return code === undefined ? { code: header, text: null } : { code, text: text! };
  });
}

function isLimeSurveyHeader(headers: readonly string[]): boolean {
  const names = [...new Set(parseHeaders(headers).map(({ code }) => normalizeHeader(code)))];
  const known = names.filter((name) => ROLES.has(name) || OTHER_NAMES.has(name));
  return known.length >= MIN_KNOWN && names.filter((name) => OWN_NAMES.has(name)).length >= MIN_OWN;
}

export const isLimeSurvey = ([headers = []]: HeaderRows): boolean => isLimeSurveyHeader(headers);

/** Texts above codes: a VV file, which uses special escapes. */
export const isVerifiedData = ([texts = [], codes = []]: HeaderRows): boolean =>
  !isLimeSurveyHeader(texts) && isLimeSurveyHeader(codes) && normalizeHeader(codes[0] ?? '') === 'id';

export function readLimeSurveyTable([headers = []]: HeaderRows): RecognizedTable {
  const parts: Parameters<typeof createGroups>[0][number][] = [];
  const columns = parseHeaders(headers).map(({ code, text }, index): SourceColumn => {
    const role = ROLES.get(normalizeHeader(code));
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
