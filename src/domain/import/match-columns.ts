import { codeProblem, METADATA_CODES } from '../survey/question-codes.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import {
  type ColumnGroup,
  type ColumnRole,
  type GroupPart,
  IMPORTED_METADATA,
  metadataOfRole,
  type SourceColumn,
  type SourceFile,
} from './source-file.ts';
import { typeOf } from '../questions/registry.ts';
import { trimCharacters, trimCharactersEnd } from '../../lib/trim-characters.ts';

const MAX_CODE_CHARACTERS = 48;

/** Assigns valid, unique question codes, based on variable names. */
export class VariableCodes {
  private readonly used = new Set(METADATA_CODES);
  /** The highest number tried for a stem, so that thousands of equal names do not try all numbers again. */
  private readonly lastTaken = new Map<string, number>();

  /** `parts`: suffixes of further columns of the question, such as _1. */
  assign(name: string, columnIndex: number, parts: readonly string[] = []): string {
    const preferredCode = codeFromName(name, columnIndex);
    for (let n = 1; ; n += 1) {
      const suffix = n === 1 ? '' : `_v${n}`;
      const stem = trimCharactersEnd(preferredCode.slice(0, MAX_CODE_CHARACTERS - suffix.length), /_/);
      const key = [stem.toLowerCase(), suffix.length, ...parts].join(' ');
      const lastTaken = this.lastTaken.get(key) ?? 0;
      if (n <= lastTaken) {
        n = lastTaken;
        continue;
      }
      const code = stem + suffix;
      const columns = [code, ...parts.map((part) => code + part)].map((column) => column.toLowerCase());
      this.lastTaken.set(key, n);
      if (codeProblem(code) !== null || columns.some((column) => this.used.has(column))) continue;
      for (const column of columns) this.used.add(column);
      return code;
    }
  }
}

/** Converts a name to a code, before conflicts are resolved. */
function codeFromName(name: string, columnIndex: number): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_');
  const trimmed = trimCharacters(letters, /_/);
  if (!/[A-Za-z0-9]/.test(trimmed)) return `V${columnIndex + 1}`;
  return /^[A-Za-z]/.test(trimmed) ? trimmed : `V${trimmed}`;
}

type MatchedBy = 'code' | 'label' | 'code_and_label' | 'variable_label' | 'layout';

export interface ColumnMatch {
  header: string;
  /** The survey column; null: no match, or not importable. */
  entry: CatalogColumn | null;
  /** The matched column code, whether or not it is imported. */
  columnCode: string | null;
  matchedBy: MatchedBy | null;
  /** Role of the column if a recognized layout writes it in a special form. */
  role?: ColumnRole | undefined;
  /**
   * How its cells are counted: as a column of the file (default), as part of a combined column, or not counted, because the file has no
   * such column.
   */
  countsAs?: 'part' | 'none';
  /** The reason why it is not imported. */
  reason: string | null;
  /** Similar codes. */
  nearest: string[];
}

export const IP_ADDRESS_REASON = 'holds IP addresses, which are not stored';
export const NO_HEADER_REASON = 'does not have a name';

/** Limits the search for similar names in files that match nowhere. */
const MAX_NEAREST = 20;
const LABEL_SUFFIX = '_label';

/** Normalizes a header for comparison: ignores case and surrounding space. */
function normalizeHeader(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

interface FoundColumn {
  entry: CatalogColumn;
  by: MatchedBy;
}

/**
 * Matches file columns to survey columns: by code, by the variable name it was imported from, by the full label, or by `code: label`.
 * Labels shared by several columns are resolved by their order if the file has all of them. `<code>_label` next to `<code>` is redundant
 * and not imported.
 */
export function matchColumns(
  { columns, layout }: Pick<SourceFile, 'columns' | 'layout'>,
  catalog: ColumnCatalog,
  aliases: ReadonlyMap<string, string> = new Map(),
): ColumnMatch[] {
  const isOfOtherTool = layout !== null && layout.name !== 'plain';
  const finder = new ColumnFinder({ columns, catalog, aliases, isOfOtherTool });
  const parts = partsOf(layout?.groups ?? []);
  const found = columns.map(
    (column, index) =>
      finder.findByRole(column) ?? finder.find(column) ?? finder.findByPart(parts.get(index)),
  );
  const matchedCodes = new Set<string>();
  for (const one of found) if (one !== null) matchedCodes.add(one.entry.spec.columnCode);
  const used = new Set<string>();
  let nearestSearches = 0;
  return columns.map(({ header, role }, index): ColumnMatch => {
    const base = { header, entry: null, columnCode: null, matchedBy: null, reason: null, nearest: [] };
    const one = found[index] ?? finder.findLabelColumn(header, matchedCodes);
    if (one === null) {
      if (role === 'ip_address') return { ...base, reason: IP_ADDRESS_REASON };
      if (header === '') return { ...base, reason: NO_HEADER_REASON };
      nearestSearches += 1;
      const nearest = nearestSearches > MAX_NEAREST ? [] : catalog.similarCodes(header.trim());
      return { ...base, reason: 'is not a column of the survey', nearest };
    }
    const { columnCode } = one.entry.spec;
    const matched = { ...base, columnCode, matchedBy: one.by };
    const reason = notImportableReason(one.entry) ?? (used.has(columnCode) ? `repeats ${columnCode}` : null);
    if (reason !== null) return { ...matched, reason };
    used.add(columnCode);
    return { ...matched, entry: one.entry, role: one.by === 'layout' ? role : undefined };
  });
}

type Part = { group: ColumnGroup } & ColumnGroup['members'][number];

function partsOf(groups: readonly ColumnGroup[]): Map<number, Part> {
  return new Map(
    groups.flatMap((group) => group.members.map((member) => [member.index, { group, ...member }])),
  );
}

/** Returns why a survey column cannot be imported, or null if it can. */
function notImportableReason({ spec, origin }: CatalogColumn): string | null {
  if (origin.kind === 'derived') return 'is computed from other columns and cannot be imported';
  if (origin.kind === 'metadata') {
    const isTaken = (IMPORTED_METADATA as readonly string[]).includes(spec.columnCode);
    if (spec.columnCode === 'response_id')
      return 'recognizes responses that are known; new ones get their own';
    return isTaken ? null : 'is kept by the server, not imported';
  }
  return spec.type === 'file'
    ? 'holds the names of files, which belong to the response they came with'
    : null;
}

class ColumnFinder {
  private readonly catalog: ColumnCatalog;
  private readonly aliases: ReadonlyMap<string, string>;
  private readonly byLabel = new Map<string, CatalogColumn[]>();
  /** By header: occurrences in the file, and how many were matched so far. */
  private readonly inFile = new Map<string, { count: number; seen: number }>();

  constructor({
    columns,
    catalog,
    aliases,
    isOfOtherTool,
  }: {
    columns: readonly SourceColumn[];
    catalog: ColumnCatalog;
    aliases: ReadonlyMap<string, string>;
    isOfOtherTool: boolean;
  }) {
    this.catalog = catalog;
    this.aliases = aliases;
    const sets = new Set<CatalogColumn>();
    for (const { origin } of catalog.columns) {
      if (origin.kind !== 'question') continue;
      for (const { columnCode } of origin.questionColumns.sets) {
        const set = catalog.find(columnCode);
        if (set !== undefined) sets.add(set);
      }
    }
    for (const entry of [...catalog.columns, ...sets]) {
      // Other tools use some of these metadata names for other data.
      if (isOfOtherTool && entry.origin.kind === 'metadata') continue;
      const label = normalizeHeader(entry.spec.label);
      const same = this.byLabel.get(label);
      if (same === undefined) this.byLabel.set(label, [entry]);
      else same.push(entry);
    }
    for (const { header } of columns) {
      const key = normalizeHeader(header);
      this.inFile.set(key, { count: (this.inFile.get(key)?.count ?? 0) + 1, seen: 0 });
    }
  }

  find({ header, label }: SourceColumn): FoundColumn | null {
    const key = normalizeHeader(header);
    if (key === '') return null;
    const byCode = this.catalog.find(this.aliases.get(key) ?? key);
    if (byCode !== undefined) return { entry: byCode, by: 'code' };
    const byLabel = this.findByLabel(key);
    if (byLabel !== null) return { entry: byLabel, by: 'label' };
    const colon = key.indexOf(': ');
    const before = colon < 0 ? undefined : this.catalog.find(key.slice(0, colon).trim());
    if (before !== undefined) return { entry: before, by: 'code_and_label' };
    if (label === null) return null;
    const [entry, ...others] = this.byLabel.get(normalizeHeader(label)) ?? [];
    return entry === undefined || others.length > 0 ? null : { entry, by: 'variable_label' };
  }

  /** Finds the metadata column of a layout role, unless the survey has a question with that code. */
  findByRole({ header, role }: SourceColumn): FoundColumn | null {
    const column = role === undefined ? null : metadataOfRole(role);
    if (column === null || this.catalog.question(header) !== undefined) return null;
    const entry = this.catalog.find(column);
    return entry === undefined ? null : { entry, by: 'layout' };
  }

  /** Finds the column of an option or row by the codes or labels in the layout. */
  findByPart(part: Part | undefined): FoundColumn | null {
    if (part === undefined) return null;
    const questionColumns =
      this.catalog.question(part.group.name) ?? this.catalog.question(codeFromName(part.group.name, 0));
    if (questionColumns === undefined) return null;
    const { question, columns } = questionColumns;
    const isPart = ({ key, label }: GroupPart, code: string, text: string) =>
      normalizeHeader(key) === normalizeHeader(code) || normalizeHeader(label) === normalizeHeader(text);
    const index = typeOf(question).importedColumn(question, { ...part, isPart });
    const spec = columns[index];
    const entry = spec === undefined ? undefined : this.catalog.find(spec.columnCode);
    return entry === undefined ? null : { entry, by: 'layout' };
  }

  /** Finds the column of `Q1_label`, which is redundant if the file has another column for Q1. */
  findLabelColumn(header: string, matchedCodes: Set<string>): FoundColumn | null {
    const key = normalizeHeader(header);
    if (!key.endsWith(LABEL_SUFFIX)) return null;
    const entry = this.catalog.find(key.slice(0, -LABEL_SUFFIX.length));
    if (entry === undefined) return null;
    matchedCodes.add(entry.spec.columnCode);
    return { entry, by: 'code' };
  }

  private findByLabel(key: string): CatalogColumn | null {
    const same = this.byLabel.get(key) ?? [];
    const [first = null] = same;
    if (same.length <= 1) return first;
    const inFile = this.inFile.get(key);
    if (inFile === undefined) return null;
    // Exports contain each label once, or twice (codes, then labels).
    const times = inFile.count / same.length;
    if (times !== 1 && times !== 2) return null;
    const occurrence = Math.floor(inFile.seen / times);
    inFile.seen += 1;
    return same[occurrence] ?? null;
  }
}
