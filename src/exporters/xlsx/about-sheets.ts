import { type FileColumn, isTimestamp } from '../file-column.ts';
import type { XlsxCell, XlsxSheet } from './sheet.ts';

const column = (header: string, widthCharacters: number) => ({
  header,
  widthCharacters,
  style: 'plain' as const,
});
const VARIABLES = [
  ...[
    column('column', 9),
    column('header', 22),
    column('column_code', 22),
    column('label', 60),
    column('shown', 9),
  ],
  ...[column('type', 13), column('measure', 11), column('source', 11), column('note', 60)],
];
const VALUES = [
  ...[
    column('column_code', 22),
    column('value', 14),
    column('code', 9),
    column('label', 50),
    column('missing', 10),
  ],
];

/** Describes each column of the data sheet. `note` is called when the sheet is written. */
export function variablesSheet(
  columns: readonly FileColumn[],
  letters: readonly string[],
  note: (column: number) => string | null,
): XlsxSheet {
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    yield await Promise.resolve(
      columns.map(({ entry: { spec }, header, showAs }, i) => [
        letters[i]!,
        header,
        spec.columnCode,
        spec.label,
        showAs,
        isTimestamp(spec) || spec.precision === null ? spec.type : spec.precision,
        spec.measure,
        spec.source,
        note(i),
      ]),
    );
  }
  return { name: 'Variables', columns: VARIABLES, rows: rows() };
}

/** Lists the values of categorical columns; a column exported by code and by label appears once. */
export function valuesSheet(columns: readonly FileColumn[]): XlsxSheet {
  const specs = new Map(columns.map(({ entry: { spec } }) => [spec.columnCode, spec]));
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    for (const { columnCode, values } of specs.values()) {
      yield await Promise.resolve(
        values.map(({ value, code, label, missing }) => [
          columnCode,
          value === String(code) ? code : value,
          code,
          label,
          missing ? 'missing' : null,
        ]),
      );
    }
  }
  return { name: 'Values', columns: VALUES, rows: rows() };
}

/** Notes on the whole file. */
export function notesSheet(notes: readonly string[]): XlsxSheet {
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    yield await Promise.resolve(notes.map((note) => [note]));
  }
  return { name: 'Notes', columns: [column('note', 80)], rows: rows() };
}
