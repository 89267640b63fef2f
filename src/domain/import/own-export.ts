import { METADATA_COLUMNS } from '../responses/metadata-columns.ts';

/** Minimum number of metadata columns, by code and by label, that identify an export of Canvass. */
const MIN_CODES = 3;
const MIN_LABELS = 6;

/**
 * Whether the headers are those of an export of responses: it has `response_id` and other metadata columns, by code, by label, or as
 * `code: label`. Its formulas are escaped, and its columns that the server manages are no answers.
 */
export function isOwnExport(headers: readonly string[]): boolean {
  const names = new Set(headers.map((header) => header.trim()));
  const codes = new Set([...names].map((name) => name.replace(/: .*$/s, '').toLowerCase()));
  const specs = METADATA_COLUMNS.map(({ spec }) => spec);
  const byCode = specs.filter(({ columnCode }) => codes.has(columnCode)).length;
  const byLabel = specs.filter(({ label }) => names.has(label)).length;
  return (codes.has('response_id') && byCode >= MIN_CODES) || byLabel >= MIN_LABELS;
}
