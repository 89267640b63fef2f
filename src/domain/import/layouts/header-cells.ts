import type { ColumnGroup, SourceColumn, SourceLayout } from '../source-file.ts';

/** The first rows of a table as texts of equal length. */
export type HeaderRows = readonly (readonly string[])[];

/** A layout and the columns described by its header rows. */
export interface RecognizedTable {
  layout: SourceLayout;
  columns: SourceColumn[];
  /** Conversions for columns with a special format; empty: none. */
  rewrite: ReadonlyMap<number, (cell: string) => string>;
}

export const NO_REWRITE: RecognizedTable['rewrite'] = new Map();

/** Normalizes a header for comparison: letters and digits only. */
export const normalizeHeader = (text: string): string =>
  text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

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
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
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
    text: namedParts[0]!.text,
    members: namedParts.map(({ member }) => member),
  }));
  return groups.filter(({ members }) => {
    const keys = members.map(({ part, option }) => JSON.stringify([part.key, option?.key ?? null]));
    return members.length > 1 && new Set(keys).size === keys.length;
  });
}
