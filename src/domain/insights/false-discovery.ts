/**
 * Returns q-values (false discovery rates), parallel to the p-values: R `p.adjust(p, "BH")`. Y. Benjamini, Y. Hochberg, "Controlling the
 * false discovery rate", J. R. Statist. Soc. B 57 (1995).
 */
export function falseDiscoveryRates(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[b]! - pValues[a]!);
  const rates = new Array<number>(pValues.length);
  let least = 1;
  for (const [position, index] of order.entries()) {
    least = Math.min(least, (pValues[index]! * pValues.length) / (pValues.length - position));
    rates[index] = least;
  }
  return rates;
}
