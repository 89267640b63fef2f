import type { ColumnRole } from '../column-roles.ts';
import { joinLabels } from '../../answers/question-columns.ts';
import type { SourceColumn } from '../source-file.ts';
import {
  createGroups,
  type HeaderRows,
  PERSONAL_NAMES,
  type RecognizedTable,
  normalizeHeader,
} from './header-cells.ts';

const ROLES: ReadonlyMap<string, ColumnRole> = new Map([
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
export function hasOptionsBelow([questions = [], options = []]: HeaderRows): boolean {
  const first = questions.findIndex((text) => text !== '');
  if (first < 0 || normalizeHeader(questions[first]!) !== 'respondentid' || (options[first] ?? '') !== '')
    return false;
  const isContinued = questions.every((text, i) => i < first || text !== '' || (options[i] ?? '') !== '');
  return (
    isContinued && options.some((option, i) => WHOLE_QUESTION.has(normalizeHeader(option)) || !questions[i])
  );
}

export function readSurveyMonkeyTable([questions = [], options = []]: HeaderRows): RecognizedTable {
  const rewrite = new Map<number, (cell: string) => string>();
  let question = '';
  let number = 0;
  let first = 0;
  const parts: Parameters<typeof createGroups>[0][number][] = [];
  const columns = questions.map((text, index): SourceColumn => {
    const option = options[index] ?? '';
    const base = { label: null, variable: null };
    const name = normalizeHeader(text);
    const role = option === '' ? ROLES.get(name) : undefined;
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
  const [all, month, day, year, hour, minute = '00', second = '00', amOrPm] =
    AMERICAN.exec(cell.trim()) ?? [];
  if (all === undefined) return cell;
  const padTwo = (text: string | number) => String(text).padStart(2, '0');
  const date = `${year}-${padTwo(month!)}-${padTwo(day!)}`;
  if (hour === undefined) return date;
  const isAfternoon = amOrPm?.toUpperCase() === 'PM';
  const hours = amOrPm === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return `${date}T${padTwo(hours)}:${minute}:${second}`;
}
