import type { SourceCell, SourceColumn } from '../domain/import/source-file.ts';
import { unreadable } from './unreadable.ts';

const MAX_HEADER_CHARACTERS = 5_000;

/** The columns of a table by its first row; empty headers at its end are none. */
export function tableColumns(cells: readonly SourceCell[]): SourceColumn[] {
  const headers = cells.map((cell) =>
    String(cell ?? '')
      .trim()
      .slice(0, MAX_HEADER_CHARACTERS),
  );
  while (headers.at(-1) === '') headers.pop();
  if (headers.length === 0) throw unreadable('its first row is empty: it must hold the names of the columns');
  return headers.map((header) => ({ header, label: null, variable: null }));
}
