import type { CatalogColumn } from '../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../domain/dataset/columns/column-spec.ts';

/** One column of a file of responses. */
export interface FileColumn {
  entry: CatalogColumn;
  header: string;
  /** Whether cells contain codes (option_values) or labels. */
  showAs: 'code' | 'label';
}

/** Whether the column is a timestamp of the response (ISO 8601 in UTC) and not an answer to a date question. */
export function isTimestamp({ source, type }: ColumnSpec): boolean {
  return source === 'metadata' && type === 'date';
}

/** A label for each value that has one. */
export function labelsOf({ values }: ColumnSpec): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, label }) => [value, label]));
}
