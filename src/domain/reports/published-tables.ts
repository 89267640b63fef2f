import type { PublishedLabels } from '../dataset/columns/published-labels.ts';
import type { CrosstabTable } from '../statistics/crosstab/table.ts';

type Category = CrosstabTable['rows'][number] | CrosstabTable['columns'][number];

/** Returns the tables with the labels of the published version, without rows and columns of options that were never published. */
export function withPublishedLabels(
  tables: readonly CrosstabTable[],
  labels: PublishedLabels,
): CrosstabTable[] {
  return tables.map((table) => {
    const columns = table.columns.map((column) => relabelCategory(column, labels));
    const isKept = (_: unknown, index: number) => columns[index] !== null;
    return {
      ...table,
      row: relabelAxis(table.row, labels),
      column: table.column === null ? null : relabelAxis(table.column, labels),
      columns: columns.filter((column) => column !== null),
      rows: table.rows.flatMap((row) => {
        const known = relabelCategory(row, labels);
        return known === null ? [] : [{ ...known, cells: row.cells.filter(isKept) }];
      }),
      mean: table.mean === null ? null : { ...table.mean, cells: table.mean.cells.filter(isKept) },
    };
  });
}

function relabelAxis<Axis extends CrosstabTable['row']>(one: Axis, labels: PublishedLabels): Axis {
  const names = one.column_codes.map((code) => labels.columnLabel(code));
  return { ...one, label: names.every((name) => name !== null) ? names.join(' > ') : one.label };
}

/** Returns null for an option that was never published. */
function relabelCategory<One extends Category>(one: One, labels: PublishedLabels): One | null {
  const names = one.categories.map(({ column_code: code, value, label }) =>
    value === null ? label : labels.valueLabel(code, value, label),
  );
  const categories = one.categories.flatMap((category, index) => {
    const label = names[index];
    return label == null ? [] : [{ ...category, label }];
  });
  return categories.length < names.length ? null : { ...one, label: names.join(' > '), categories };
}
