/** R treats tables as no more likely than the observed one up to this factor, which covers rounding. */
const TOLERANCE = 1 + 1e-7;

/**
 * Fisher's exact test of a two-by-two table: the probability, given both margins, of all tables that are no more likely than this one.
 * R's `fisher.test(table)$p.value`.
 */
export function computeFisherExactPValue(
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): number {
  const [row, column, total] = [a + b, a + c, a + b + c + d];
  const lowest = Math.max(0, row + column - total);
  const highest = Math.min(row, column);
  // Likelihoods relative to the most likely table, so that no relevant one underflows to 0.
  const mode = Math.min(highest, Math.max(lowest, Math.floor(((row + 1) * (column + 1)) / (total + 2))));
  const likelihoods = new Float64Array(highest - lowest + 1);
  likelihoods[mode - lowest] = 1;
  /** The likelihood of the table with one more in the first cell, relative to this one. */
  const step = (cell: number) =>
    ((row - cell) * (column - cell)) / ((cell + 1) * (total - row - column + cell + 1));
  for (let cell = mode; cell < highest; cell++)
    likelihoods[cell + 1 - lowest] = likelihoods[cell - lowest]! * step(cell);
  for (let cell = mode; cell > lowest; cell--)
    likelihoods[cell - 1 - lowest] = likelihoods[cell - lowest]! / step(cell - 1);
  const own = likelihoods[a - lowest]!;
  let [all, unlikely] = [0, 0];
  for (const likelihood of likelihoods) {
    all += likelihood;
    if (likelihood <= own * TOLERANCE) unlikely += likelihood;
  }
  return Math.min(1, unlikely / all);
}
