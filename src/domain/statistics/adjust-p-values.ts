/** Adjustments for several tests: R's `p.adjust`. `fdr` is the false discovery rate of Benjamini and Hochberg. */
export const CORRECTIONS = ['none', 'bonferroni', 'holm', 'fdr'] as const;
export type Correction = (typeof CORRECTIONS)[number];

/** S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979), from the smallest p up. */
function adjustByHolm(pValues: readonly number[]): number[] {
  const adjusted = [...pValues];
  const order = [...pValues.entries()].sort(([, a], [, b]) => a - b);
  let most = 0;
  for (const [position, [index, pValue]] of order.entries()) {
    most = Math.max(most, Math.min(1, pValue * (order.length - position)));
    adjusted[index] = most;
  }
  return adjusted;
}

/**
 * Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57 (1995), from the largest p
 * down.
 */
function adjustByFalseDiscoveryRate(pValues: readonly number[]): number[] {
  const adjusted = [...pValues];
  const order = [...pValues.entries()].sort(([, a], [, b]) => b - a);
  let least = 1;
  for (const [position, [index, pValue]] of order.entries()) {
    least = Math.min(least, (pValue * order.length) / (order.length - position));
    adjusted[index] = least;
  }
  return adjusted;
}

/** Adjusts the p values of tests that are made together; the order stays. */
export function adjustPValues(pValues: readonly number[], correction: Correction): number[] {
  switch (correction) {
    case 'none':
      return [...pValues];
    case 'bonferroni':
      return pValues.map((pValue) => Math.min(1, pValue * pValues.length));
    case 'holm':
      return adjustByHolm(pValues);
    case 'fdr':
      return adjustByFalseDiscoveryRate(pValues);
  }
}
