/** A t test of two columns. */
export interface PairTest {
  /** Positive if the first column is higher. */
  t: number;
  df: number;
  /** Two-sided. */
  pValue: number;
}

/** `pValue` is adjusted for multiple tests. */
export interface TestedPair extends PairTest {
  first: number;
  second: number;
}

export interface Comparison {
  /** Every tested pair of columns. */
  pairs: TestedPair[];
  /** For each column, the letters of the columns it exceeds: upper case at 95 %, lower case at 90 %. */
  letters: string[][];
}

export interface CompareSettings {
  /** Columns with a smaller unweighted base are not tested. */
  minBase: number;
  /** Adjustment over all pairs tested together. */
  correction: 'none' | 'bonferroni' | 'fdr';
  /** By column. Only columns of the same family are compared; null: never compared. Absent: all columns are one family. */
  families?: readonly (number | null)[];
}

/** A to Z, then AA, AB, … */
export function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** R's `p.adjust`: Bonferroni, or the false discovery rate. */
function adjustPValues(pairs: TestedPair[], correction: CompareSettings['correction']): TestedPair[] {
  const tests = pairs.length;
  if (correction === 'none') return pairs;
  if (correction === 'bonferroni') {
    return pairs.map((pair) => ({ ...pair, pValue: Math.min(1, pair.pValue * tests) }));
  }
  // Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57 (1995), from the largest p down.
  const corrected = [...pairs];
  const order = pairs.map((_, index) => index).sort((a, b) => pairs[b]!.pValue - pairs[a]!.pValue);
  let least = 1;
  for (const [position, index] of order.entries()) {
    const pair = pairs[index]!;
    least = Math.min(least, (pair.pValue * tests) / (tests - position));
    corrected[index] = { ...pair, pValue: least };
  }
  return corrected;
}

/**
 * Tests every pair of columns in a family whose bases (`counts`, unweighted) are large enough. `test` returns null if it is not possible.
 * The adjustment is over all tests performed.
 */
export function comparePairs(
  counts: readonly number[],
  test: (first: number, second: number) => PairTest | null,
  { minBase, correction, families }: CompareSettings,
): Comparison {
  const tested: TestedPair[] = [];
  for (let first = 0; first < counts.length; first++) {
    if (counts[first]! < minBase || families?.[first] === null) continue;
    for (let second = first + 1; second < counts.length; second++) {
      if (counts[second]! < minBase || families?.[second] !== families?.[first]) continue;
      const result = test(first, second);
      if (result) tested.push({ first, second, ...result });
    }
  }
  const pairs = adjustPValues(tested, correction);
  const letters: string[][] = counts.map(() => []);
  for (const { first, second, t, pValue } of pairs) {
    if (pValue >= 0.1) continue;
    const [above, below] = t > 0 ? [first, second] : [second, first];
    const letter = columnLetter(below);
    letters[above]!.push(pValue < 0.05 ? letter : letter.toLowerCase());
  }
  return { pairs, letters };
}
