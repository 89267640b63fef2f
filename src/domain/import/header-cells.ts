import type { ColumnGroup, SourceColumn, SourceLayout } from './source-file.ts';

/** The first rows of a table as texts of equal length. */
export type HeaderRows = readonly (readonly string[])[];

/** A layout and the columns described by its header rows. */
export interface RecognizedTable {
  layout: SourceLayout;
  columns: SourceColumn[];
  /** Conversions for columns with a special format; empty: none. */
  rewrite: ReadonlyMap<number, (cell: string) => string>;
  /** How the header was found, for the report. */
  notes?: readonly string[];
}

export const NO_REWRITE: RecognizedTable['rewrite'] = new Map();

/** No known name of a column is as long, whatever separates its words. */
const MAX_NAME_CHARACTERS = 100;

/** Normalizes a header for comparison with known names: letters and digits only. Empty for texts longer than names. */
export const normalizeHeader = (text: string): string =>
  text.length > MAX_NAME_CHARACTERS ? '' : text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Normalized names of columns with personal data, in various tools. */
export const PERSONAL_NAMES = new Set([
  'recipientlastname',
  'recipientfirstname',
  'recipientemail',
  'name',
  'firstname',
  'lastname',
  'email',
  'emailaddress',
  'locationlatitude',
  'locationlongitude',
  'phone',
]);

/** Returns the common prefix of all texts, up to its last separator. */
export function commonPrefix(texts: readonly string[], separator: RegExp): string {
  const [first = '', ...more] = texts;
  let length = first.length;
  for (const text of more) {
    let same = 0;
    while (same < length && text[same] === first[same]) same += 1;
    length = same;
  }
  const start = first.slice(0, length);
  const all = [...start.matchAll(separator)];
  const last = all.at(-1);
  return last === undefined ? '' : start.slice(0, last.index + last[0].length);
}

/** Groups items by key, in order of first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

type Member = ColumnGroup['members'][number];

/** Groups columns by question in file order; single columns form no group. */
export function createGroups(
  parts: readonly { name: string; text: string; member: Member }[],
): ColumnGroup[] {
  const groups = [...groupBy(parts, ({ name }) => name)].map(([name, namedParts]) => ({
    name,
    text: namedParts[0].text,
    members: namedParts.map(({ member }) => member),
  }));
  return groups.filter(({ members }) => {
    const keys = members.map(({ part, option }) => JSON.stringify([part.key, option?.key ?? null]));
    return members.length > 1 && new Set(keys).size === keys.length;
  });
}

const XLSFORM_TYPES =
  /^(select_one|select_multiple|select one|select multiple|rank|begin[ _](group|repeat)|end[ _](group|repeat)|text|integer|decimal|date|dateTime|time|note|calculate|geopoint|image|audio|video|barcode|acknowledge|start|end|today|deviceid|username|hidden|range|file)\b/i;

const hasAll = (names: ReadonlySet<string>, ...wanted: string[]) => wanted.every((name) => names.has(name));

/** Identifies a questionnaire table, whose rows are questions instead of responses; null if unknown. */
export function questionnaireOfTable([header = [], ...rows]: HeaderRows): string | null {
  const names = new Set(header.map(normalizeHeader));
  const isDictionary =
    hasAll(names, 'variablefieldname', 'formname', 'fieldtype', 'fieldlabel') ||
    hasAll(names, 'fieldname', 'formname', 'fieldtype', 'fieldlabel');
  if (isDictionary) return 'a REDCap data dictionary';
  if (hasAll(names, 'class', 'typescale', 'name', 'relevance', 'text'))
    return 'a LimeSurvey survey structure (.tsv)';
  const type = header.findIndex((cell) => normalizeHeader(cell) === 'type');
  const isForm = type >= 0 && names.has('name') && [...names].some((name) => name.startsWith('label'));
  const types = rows.map((row) => row[type] ?? '').filter((cell) => cell !== '');
  if (isForm && types.length > 0 && types.every((cell) => XLSFORM_TYPES.test(cell.trim())))
    return 'an XLSForm';
  return null;
}

/** Texts that identify questionnaires in XML and JSON, searched at the beginning of the file. */
const MARKS: readonly [RegExp, string][] = [
  [/<LimeSurveyDocType>/, 'a LimeSurvey survey structure (.lss)'],
  [/xmlns(:\w+)?="http:\/\/www\.w3\.org\/2002\/xforms"/, 'an ODK XForm'],
  [/<ODM[\s>]/, 'a REDCap or CDISC ODM project'],
  [/<sss\b/, 'a Triple-S definition (.sss)'],
  [/<(\w+:)?codeBook\b|xmlns(:\w+)?="ddi:/, 'a DDI codebook'],
  [/^\s*\{\s*"SurveyEntry"\s*:/, 'a Qualtrics survey (.qsf)'],
  [/"jsonSchema"|"elements"\s*:\s*\[/, 'a SurveyJS form'],
  [/"format"\s*:\s*"canvass\.survey"/, 'a survey of this project (POST /api/surveys/import takes it)'],
];

/** Identifies an XML or JSON questionnaire by its beginning; null if unknown. */
export function questionnaireOfText(beginning: string): string | null {
  return MARKS.find(([mark]) => mark.test(beginning))?.[1] ?? null;
}

const MIN_FIXED_CHARACTERS = 8;

/** Whether the lines are fixed-width data: equal length, starting with digits, no delimiter. Its columns are defined in another file. */
export function isFixedWidth(lines: readonly string[]): boolean {
  const [first = ''] = lines;
  return (
    lines.length > 1 &&
    first.length >= MIN_FIXED_CHARACTERS &&
    lines.every((line) => line.length === first.length && /^\d{3}[^,;\t|]*$/.test(line))
  );
}
