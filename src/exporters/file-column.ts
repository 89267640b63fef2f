import type { CatalogColumn } from '../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../domain/dataset/columns/column-spec.ts';

/** One column of a file of responses. */
export interface FileColumn {
  entry: CatalogColumn;
  header: string;
  /** Whether its values are told by their codes (option_values) or by their labels. */
  showAs: 'code' | 'label';
}

/** A point in time, ISO 8601 in UTC, and not a date that was asked for as an answer. */
export function isTimestamp({ source, type }: ColumnSpec): boolean {
  return source === 'metadata' && type === 'date';
}

/** A label for each value that has one. */
export function labelsOf({ values }: ColumnSpec): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, label }) => [value, label]));
}
