import type { CatalogColumn } from '../columns/column-catalog.ts';
import type { Cell } from '../columns/column-spec.ts';
import type { Column } from '../columns/columns.ts';
import type { Dataset } from '../dataset.ts';

interface RowOrder {
  column: CatalogColumn;
  descending: boolean;
}

/**
 * Returns the ids of the counted responses in order: by response_id, or by a loaded column (categories in option order, texts by code
 * point) with missing cells last and ties by response_id.
 */
export function sortResponseIds(dataset: Dataset, mask: Uint8Array, order: RowOrder | null): Float64Array {
  const { responseIds } = dataset;
  let count = 0;
  for (let row = 0; row < mask.length; row++) count += mask[row]!;
  if (order === null) {
    const ids = new Float64Array(count);
    let next = 0;
    let last = -Infinity;
    let isAscending = true;
    for (let row = 0; row < mask.length; row++) {
      if (mask[row] !== 1) continue;
      const id = responseIds[row]!;
      isAscending &&= id > last;
      last = id;
      ids[next++] = id;
    }
    // Rows are nearly always in this order already.
    return isAscending ? ids : ids.sort();
  }
  const rows = new Uint32Array(count);
  let next = 0;
  for (let row = 0; row < mask.length; row++) if (mask[row] === 1) rows[next++] = row;
  const compare = createComparator(dataset.column(order.column));
  const sign = order.descending ? -1 : 1;
  rows.sort((a, b) => compare(a, b, sign) || responseIds[a]! - responseIds[b]!);
  return Float64Array.from(rows, (row) => responseIds[row]!);
}

/** sign: 1 ascending, -1 descending; missing values come last in both. */
type Compare = (rowA: number, rowB: number, sign: 1 | -1) => number;

function createComparator(column: Column): Compare {
  switch (column.kind) {
    case 'categorical': {
      const { indices } = column;
      const sortIndex = (row: number) => (indices[row]! < 0 ? NaN : indices[row]!);
      return (a, b, sign) => compareNumbers(sortIndex(a), sortIndex(b), sign);
    }
    case 'numeric':
    case 'date': {
      const { values } = column;
      return (a, b, sign) => compareNumbers(values[a]!, values[b]!, sign);
    }
    case 'binary':
      return (a, b, sign) =>
        compareNumbers(Number(column.cell(a) ?? NaN), Number(column.cell(b) ?? NaN), sign);
    case 'multiple':
    case 'text':
      return (a, b, sign) => compareTexts(textOf(column.cell(a)), textOf(column.cell(b)), sign);
  }
}

const textOf = (cell: Cell): string | null =>
  Array.isArray(cell) ? cell.join(';') : cell === null ? null : String(cell);

function compareNumbers(a: number, b: number, sign: 1 | -1): number {
  const [isMissingA, isMissingB] = [Number.isNaN(a), Number.isNaN(b)];
  if (isMissingA || isMissingB) return Number(isMissingA) - Number(isMissingB);
  return sign * (a - b);
}

function compareTexts(a: string | null, b: string | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -sign : a > b ? sign : 0;
}
