import type { CatalogColumn } from '../../domain/dataset/columns/column-catalog.ts';
import { MAX_STRING_BYTES } from './string-width.ts';

const MAX_CHARACTER_BYTES = 4;
const FILE_ID_BYTES = 37;
/** Of a text beside an option. */
const MAX_OTHER_CHARACTERS = 2_000;
/** Derived texts have no maximum length; longer texts are truncated and reported. */
const DERIVED_BYTES = 4_096;
/** Maximum bytes of metadata texts. */
const METADATA_BYTES: ReadonlyMap<string, number> = new Map([
  ['submission_id', 100],
  ['external_id', 200 * MAX_CHARACTER_BYTES],
  ['language', 35],
  ['status_reason', 64],
  ['end_reason', 200 * MAX_CHARACTER_BYTES],
]);

/** Whether the column is written as a string. */
export function isTextColumn({ spec: { type } }: CatalogColumn): boolean {
  return type === 'text' || type === 'file' || type === 'multiple';
}

/** The maximum bytes of a text in this column by the settings of its question. */
export function maxTextBytes({ spec, origin }: CatalogColumn): number {
  if (origin.kind === 'metadata') return METADATA_BYTES.get(spec.columnCode) ?? DERIVED_BYTES;
  if (origin.kind === 'derived') return DERIVED_BYTES;
  const { question } = origin.questionColumns;
  if (question.type === 'file_upload') return FILE_ID_BYTES * question.settings.max_files;
  const characters = question.type === 'text' ? question.settings.max_length : MAX_OTHER_CHARACTERS;
  return Math.min(MAX_STRING_BYTES, characters * MAX_CHARACTER_BYTES);
}
