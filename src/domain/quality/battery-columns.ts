import type { CatalogColumn, ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';

/** Whether its values are scale points. */
export const isScaleColumn = ({ type }: ColumnSpec): boolean => type === 'number' || type === 'categorical';

/** Finds the batteries of a dataset by the rules of findBatteries. */
export function findBatteryColumns(
  catalog: ColumnCatalog,
  settings: QualitySettings['straightliner'],
): CatalogColumn[][] {
  const matrices = new Map<unknown, CatalogColumn[]>();
  for (const column of catalog.columns) {
    const { origin, spec } = column;
    if (origin.kind !== 'question' || origin.questionColumns.question.type !== 'matrix') continue;
    if (spec.type !== 'categorical' || spec.retired) continue;
    const rows = matrices.get(origin.questionColumns) ?? [];
    rows.push(column);
    matrices.set(origin.questionColumns, rows);
  }
  const listed = settings.batteries.map(({ column_codes: codes }) =>
    codes.flatMap((code) => catalog.find(code) ?? []).filter(({ spec }) => isScaleColumn(spec)),
  );
  return [...matrices.values(), ...listed].filter((columns) => columns.length >= settings.min_rows);
}

/** Creates a function that reads the codes of a row's answers into a reused array; null if not answered. */
export function readBattery(
  dataset: Dataset,
  columns: readonly CatalogColumn[],
): { columnCodes: string[]; codesAt: (row: number) => readonly (number | null)[] } {
  const readers = columns.map((entry) => codeReader(dataset, entry));
  const codes = new Array<number | null>(columns.length).fill(null);
  return {
    columnCodes: columns.map(({ spec }) => spec.columnCode),
    codesAt: (row) => {
      for (let item = 0; item < codes.length; item++) codes[item] = readers[item]!(row);
      return codes;
    },
  };
}

function codeReader(dataset: Dataset, entry: CatalogColumn): (row: number) => number | null {
  const column = dataset.column(entry);
  if (column.kind === 'categorical') {
    const { indices } = column;
    const codes = column.spec.values.map(({ code }) => code);
    return (row) => codes[indices[row]!] ?? null;
  }
  if (column.kind !== 'numeric') return () => null;
  const { values } = column;
  return (row) => (Number.isNaN(values[row]) ? null : values[row]!);
}
