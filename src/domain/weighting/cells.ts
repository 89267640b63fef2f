import { selectCountedRows } from '../statistics/base.ts';
import type { Dimension, WeightingRequest } from './weighting-request.ts';

/**
 * Rows with the same categories in every dimension and the same base weight have the same weight after raking, so they form one cell: the
 * time of a pass depends on the number of cells, not of respondents.
 *
 * In each dimension a cell has a category, the index into `spec.values`, or the index after the last: missing.
 */
export interface WeightingCells {
  /** Per row; -1 if it gets no weight. */
  cellOfRow: Int32Array;
  /** Number of respondents per cell. */
  respondents: Float64Array;
  /** Base weight of each respondent, per cell. */
  baseWeights: Float64Array;
  /** Per dimension and cell. */
  categories: Int32Array[];
  /** Rows of the mask without a base weight. */
  withoutBaseWeight: number;
  /** Rows excluded because a dimension is missing. */
  excluded: number;
}

/** Category index by value. A value flagged as missing ("don't know") is missing unless it has a target. */
function indexTargets({ spec, targets }: Dimension): Int32Array {
  const targeted = new Set(targets.map(({ value }) => value));
  const missing = spec.values.length;
  return Int32Array.from(spec.values, (category, index) =>
    category.missing && !targeted.has(category.value) ? missing : index,
  );
}

function categoryOfRow(dimension: Dimension, rows: number): Int32Array {
  const position = indexTargets(dimension);
  const missing = position.length;
  const { indices } = dimension;
  const categories = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const index = indices[row]!;
    categories[row] = index >= 0 ? position[index]! : missing;
  }
  return categories;
}

/** Up to this many possible groups are numbered in an array, which is several times faster than a map. */
const MAX_LISTED_GROUPS = 4_194_304;

/** Splits the `size` groups by one more key, an integer from 0 to `keys` - 1; returns the new number of groups. */
function splitGroups(groups: Int32Array, size: number, keyOfRow: Int32Array, keys: number): number {
  if (size * keys > MAX_LISTED_GROUPS) return splitManyGroups(groups, keyOfRow, keys);
  const known = new Int32Array(size * keys).fill(-1);
  let found = 0;
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!;
    if (group < 0) continue;
    const key = group * keys + keyOfRow[row]!;
    if (known[key]! < 0) known[key] = found++;
    groups[row] = known[key]!;
  }
  return found;
}

function splitManyGroups(groups: Int32Array, keyOfRow: Int32Array, keys: number): number {
  const known = new Map<number, number>();
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!;
    if (group < 0) continue;
    const key = group * keys + keyOfRow[row]!;
    let refined = known.get(key);
    if (refined === undefined) known.set(key, (refined = known.size));
    groups[row] = refined;
  }
  return known.size;
}

function numberDistinct(values: Float64Array): { keyOfRow: Int32Array; keys: number } {
  const known = new Map<number, number>();
  const keyOfRow = Int32Array.from(values, (value) => {
    let key = known.get(value);
    if (key === undefined) known.set(value, (key = known.size));
    return key;
  });
  return { keyOfRow, keys: known.size };
}

/**
 * Groups the rows to be weighted into cells. Deterministic: cells are numbered in the order of their first rows. Indices and base weights
 * are by row, at least as long as the mask.
 */
export function groupIntoCells({ dimensions, mask, baseWeights, missing }: WeightingRequest): WeightingCells {
  const counted = selectCountedRows(mask, baseWeights);
  const rows = mask.length;
  const cellOfRow = Int32Array.from(counted.mask, (counts) => counts - 1);
  const byRow = dimensions.map((dimension) => categoryOfRow(dimension, rows));
  let excluded = 0;
  if (missing === 'exclude') {
    for (let row = 0; row < rows; row++) {
      if (cellOfRow[row]! < 0) continue;
      if (!byRow.some((categories, index) => categories[row] === dimensions[index]!.spec.values.length))
        continue;
      cellOfRow[row] = -1;
      excluded++;
    }
  }
  let size = 1;
  for (const [index, categories] of byRow.entries()) {
    size = splitGroups(cellOfRow, size, categories, dimensions[index]!.spec.values.length + 1);
  }
  if (counted.weights) {
    const { keyOfRow, keys } = numberDistinct(counted.weights);
    size = splitGroups(cellOfRow, size, keyOfRow, keys);
  }
  const cells: WeightingCells = {
    cellOfRow,
    respondents: new Float64Array(size),
    baseWeights: new Float64Array(size).fill(1),
    categories: dimensions.map(() => new Int32Array(size)),
    withoutBaseWeight: counted.withoutWeight,
    excluded,
  };
  for (let row = 0; row < rows; row++) {
    const cell = cellOfRow[row]!;
    if (cell < 0) continue;
    cells.respondents[cell]!++;
    if (counted.weights) cells.baseWeights[cell] = counted.weights[row]!;
    for (let index = 0; index < byRow.length; index++) cells.categories[index]![cell] = byRow[index]![row]!;
  }
  return cells;
}
