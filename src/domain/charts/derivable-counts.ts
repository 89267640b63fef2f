/** One count of a table is the sum of others, given as indices into the list of counts. */
export interface CountSum {
  total: number;
  parts: readonly number[];
}

/** Coefficients by unknown. */
type EquationRow = Map<number, number>;

const ZERO_TOLERANCE = 1e-9;

/**
 * Finds suppressed counts that can be derived from the disclosed ones. Each sum is an equation with the suppressed counts as unknowns; in
 * reduced row echelon form, an unknown alone in its row is known. Also returns rows whose unknowns add up to fewer than `minBase`,
 * because they describe a small group too.
 */
export function findDerivableCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  suppressed: ReadonlySet<number>,
  minBase: number,
): number[][] {
  const revealed: number[][] = [];
  for (const row of reduceRows(buildEquations(sums, suppressed)).values()) {
    const indices = [...row.keys()];
    const sum = indices.reduce((total, index) => total + counts[index]!, 0);
    const adds = [...row.values()].every((coefficient) => Math.abs(coefficient - 1) < ZERO_TOLERANCE);
    if (indices.length === 1 || (adds && sum < minBase)) revealed.push(indices);
  }
  return revealed;
}

function buildEquations(sums: readonly CountSum[], suppressed: ReadonlySet<number>): EquationRow[] {
  return sums.flatMap(({ total, parts }) => {
    const row: EquationRow = new Map();
    const add = (index: number, coefficient: number) => {
      if (suppressed.has(index)) row.set(index, (row.get(index) ?? 0) + coefficient);
    };
    for (const part of parts) add(part, 1);
    add(total, -1);
    return row.size > 0 ? [row] : [];
  });
}

/** Subtracts `times` times `row` from another row. */
function subtract(from: EquationRow, row: EquationRow, times: number): void {
  for (const [index, coefficient] of row) {
    const left = (from.get(index) ?? 0) - times * coefficient;
    if (Math.abs(left) < ZERO_TOLERANCE) from.delete(index);
    else from.set(index, left);
  }
}

/** Gauss–Jordan elimination; returns rows by pivot. Rows are sparse: they contain only suppressed counts. */
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
