import { selectCountedRows } from '../statistics/counted-rows.ts';
import type { Dimension, WeightingRequest } from './weighting-request.ts';

/**
 * Rows that are alike in every dimension and in their base weight keep the same weight through raking, so they are one cell: a
 * pass takes as long as there are cells, not respondents.
 *
 * Within a dimension a cell is in a category, the index into `spec.values`, or in the one after the last: missing.
 */
export interface WeightingCells {
  /** Per row; -1 where it gets no weight. */
  cellOfRow: Int32Array;
  /** Per cell, how many. */
  respondents: Float64Array;
  /** Per cell, the base weight of each of its respondents. */
  baseWeights: Float64Array;
  /** Per dimension and cell. */
  categories: Int32Array[];
  /** Rows of the mask that have no base weight. */
  withoutBaseWeight: number;
  /** Rows left out because they miss a dimension. */
  excluded: number;
}

/** By category: where it counts. One flagged as missing ("don't know") is missing unless it has a target. */
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

/** Up to so many possible groups are numbered in an array, which is several times faster than a map. */
const MAX_LISTED_GROUPS = 4_194_304;

/** Splits the `size` groups by one more key, a whole number from 0 to under `keys`; says how many there are now. */
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
 * Puts the rows that are to be weighted into cells; deterministic: cells are numbered as their first rows come. Indices of the
 * dimensions and base weights are by row, as long as the mask or longer.
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
