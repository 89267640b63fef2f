/** One number of a table is the sum of others: places in the list of counts. */
export interface CountSum {
  total: number;
  parts: readonly number[];
}

/** Coefficients by unknown. */
type Row = Map<number, number>;

const NOTHING = 1e-9;

/**
 * Hidden counts that follow from what is told: the sums are equations, the hidden counts their unknowns, and in reduced row echelon form
 * an unknown that is alone in its row is known. Also rows that add up unknowns to fewer than `minBase`, for these are a small group too.
 */
export function derivable(
  counts: readonly number[],
  sums: readonly CountSum[],
  hidden: ReadonlySet<number>,
  minBase: number,
): number[][] {
  const given: number[][] = [];
  for (const row of reduced(equations(sums, hidden)).values()) {
    const places = [...row.keys()];
    const sum = places.reduce((total, place) => total + counts[place]!, 0);
    const adds = [...row.values()].every((coefficient) => Math.abs(coefficient - 1) < NOTHING);
    if (places.length === 1 || (adds && sum < minBase)) given.push(places);
  }
  return given;
}

function equations(sums: readonly CountSum[], hidden: ReadonlySet<number>): Row[] {
  return sums.flatMap(({ total, parts }) => {
    const row: Row = new Map();
    const add = (place: number, coefficient: number) => {
      if (hidden.has(place)) row.set(place, (row.get(place) ?? 0) + coefficient);
    };
    for (const part of parts) add(part, 1);
    add(total, -1);
    return row.size > 0 ? [row] : [];
  });
}

/** Takes `times` of one row out of another. */
function subtract(from: Row, row: Row, times: number): void {
  for (const [place, coefficient] of row) {
    const left = (from.get(place) ?? 0) - times * coefficient;
    if (Math.abs(left) < NOTHING) from.delete(place);
    else from.set(place, left);
  }
}

/** Gauss and Jordan, by pivot. Rows are short: only what is hidden stands in them. */
function reduced(rows: readonly Row[]): Map<number, Row> {
  const pivots = new Map<number, Row>();
  for (const row of rows) {
    for (const place of [...row.keys()]) {
      const pivot = pivots.get(place);
      const times = row.get(place);
      if (pivot !== undefined && times !== undefined) subtract(row, pivot, times);
    }
    const first = row.entries().next().value;
    if (first === undefined) continue;
    const [place, coefficient] = first;
    for (const [each, value] of row) row.set(each, value / coefficient);
    for (const other of pivots.values()) {
      const times = other.get(place);
      if (times !== undefined) subtract(other, row, times);
    }
    pivots.set(place, row);
  }
  return pivots;
}
