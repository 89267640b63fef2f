/** Coefficients by unknown. */
export type EquationRow = Map<number, number>;

const ZERO_TOLERANCE = 1e-9;

/** Equations in reduced row echelon form (Gauss–Jordan elimination). Rows are sparse. */
export class EquationSystem {
  private readonly pivots = new Map<number, EquationRow>();

  get rows(): Iterable<EquationRow> {
    return this.pivots.values();
  }

  /** Adds an equation, unless it follows from the others. */
  add(row: ReadonlyMap<number, number>): void {
    for (const [pivot, changed] of this.changesOf(row)) this.pivots.set(pivot, changed);
  }

  /** The rows that the equation would add or change, by pivot. */
  changesOf(row: ReadonlyMap<number, number>): Map<number, EquationRow> {
    const left = new Map(row);
    for (const index of row.keys()) {
      const pivot = this.pivots.get(index);
      const times = left.get(index);
      if (pivot !== undefined && times !== undefined) subtract(left, pivot, times);
    }
    const changes = new Map<number, EquationRow>();
    const first = left.entries().next().value;
    if (first === undefined) return changes;
    const [index, coefficient] = first;
    for (const [each, value] of left) left.set(each, value / coefficient);
    for (const [pivot, other] of this.pivots) {
      const times = other.get(index);
      if (times === undefined) continue;
      const changed = new Map(other);
      subtract(changed, left, times);
      changes.set(pivot, changed);
    }
    return changes.set(index, left);
  }
}

/** Subtracts `times` times `row` from another row. */
function subtract(from: EquationRow, row: EquationRow, times: number): void {
  for (const [index, coefficient] of row) {
    const left = (from.get(index) ?? 0) - times * coefficient;
    if (Math.abs(left) < ZERO_TOLERANCE) from.delete(index);
    else from.set(index, left);
  }
}
