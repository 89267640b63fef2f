import type { CommonSettings } from './common-settings.ts';

/**
 * The texts that outdated translations belong to, as fingerprints, by language and path. A translation without an entry belongs to the
 * current text. An entry is made when the text changes and removed when the translation changes, an author confirms it, or the text
 * changes back.
 */
export type TranslationSources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An option of a choice question; for a matrix, one of its columns. */
export interface Option {
  /** The permanent code in data files and statistics. Unique within the question, never reused. */
  code: number;
  /** The value in answers, filters and logic. Unique within the question. */
  value: string;
  label: string;
  order: number;
  image: string | null;
  /** Excludes every other option ("none of these"). */
  exclusive: boolean;
  /** Asks for a text beside it ("other, please specify"). */
  other: boolean;
  /** Keeps its position when options are shuffled. */
  anchor: boolean;
  /** "Don't know", "refused": chosen, but missing in statistics. */
  missing: boolean;
  /** No longer offered; existing data are kept. */
  retired: boolean;
}

/** The place of a question in a table. */
interface TableCell {
  tableId: number;
  columnCode: string;
  rowCode: string;
}

/** A question of one type. The module of the type names both parameters. */
export interface TypedQuestion<Type extends string, Settings extends CommonSettings> {
  id: number;
  pageId: number;
  type: Type;
  text: string;
  /** Variable code, unique within the survey ignoring case. */
  code: string;
  required: boolean;
  settings: Settings;
  options: Option[];
  retired: boolean;
  /** Only in expanded definitions (expandDefinition): the table, column and row whose cell the question is. */
  cell?: TableCell;
  /** Only with outdated translations. */
  translationSources?: TranslationSources;
}

/** A question of any type, by what all types have in common. */
export type AnyQuestion = TypedQuestion<string, CommonSettings>;
