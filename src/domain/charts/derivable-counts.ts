/** One number of a table is the sum of others: places in the list of counts. */
export interface CountSum {
  total: number;
  parts: readonly number[];
}

/** Coefficients by unknown. */
type EquationRow = Map<number, number>;

const ZERO_TOLERANCE = 1e-9;

/**
 * Hidden counts that follow from what is told: the sums are equations, the hidden counts their unknowns, and in reduced row echelon form
 * an unknown that is alone in its row is known. Also rows that add up unknowns to fewer than `minBase`, for these are a small group too.
 */
export function findDerivableCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  hidden: ReadonlySet<number>,
  minBase: number,
): number[][] {
  const given: number[][] = [];
  for (const row of reduceRows(buildEquations(sums, hidden)).values()) {
    const indices = [...row.keys()];
    const sum = indices.reduce((total, index) => total + counts[index]!, 0);
    const adds = [...row.values()].every((coefficient) => Math.abs(coefficient - 1) < ZERO_TOLERANCE);
    if (indices.length === 1 || (adds && sum < minBase)) given.push(indices);
  }
  return given;
}

function buildEquations(sums: readonly CountSum[], hidden: ReadonlySet<number>): EquationRow[] {
  return sums.flatMap(({ total, parts }) => {
    const row: EquationRow = new Map();
    const add = (index: number, coefficient: number) => {
      if (hidden.has(index)) row.set(index, (row.get(index) ?? 0) + coefficient);
    };
    for (const part of parts) add(part, 1);
    add(total, -1);
    return row.size > 0 ? [row] : [];
  });
}

/** Takes `times` of one row out of another. */
function subtract(from: EquationRow, row: EquationRow, times: number): void {
  for (const [index, coefficient] of row) {
    const left = (from.get(index) ?? 0) - times * coefficient;
    if (Math.abs(left) < ZERO_TOLERANCE) from.delete(index);
    else from.set(index, left);
  }
}

/** Gauss and Jordan, by pivot. Rows are short: only what is hidden stands in them. */
function reduceRows(rows: readonly EquationRow[]): Map<number, EquationRow> {
  const pivots = new Map<number, EquationRow>();
  for (const row of rows) {
    for (const index of [...row.keys()]) {
      const pivot = pivots.get(index);
      const times = row.get(index);
      if (pivot !== undefined && times !== undefined) subtract(row, pivot, times);
    }
    const first = row.entries().next().value;
    if (first === undefined) continue;
    const [index, coefficient] = first;
    for (const [each, value] of row) row.set(each, value / coefficient);
    for (const other of pivots.values()) {
      const times = other.get(index);
      if (times !== undefined) subtract(other, row, times);
    }
    pivots.set(index, row);
  }
  return pivots;
}
