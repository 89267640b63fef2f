import { type Count, effectiveCount } from './base.ts';
import { tTwoSided } from './probability.ts';

interface ComparedColumn {
  base: Count;
  /** Of the base, by weight, 0 to 1. */
  share: number;
}

interface Pair {
  first: number;
  second: number;
  /** Above 0 where the first column has the larger share. */
  t: number;
  df: number;
  /** Two-sided, corrected as asked. */
  pValue: number;
}

interface ColumnComparison {
  /** Every two columns that could be tested. */
  pairs: Pair[];
  /** Per column the letters of those it is above: upper case at 95 %, lower case at 90 %. */
  letters: string[][];
}

interface CompareSettings {
  /** Columns with fewer respondents, unweighted, are not tested. */
  minBase: number;
  /** Over the pairs of these columns. */
  correction: 'none' | 'bonferroni' | 'fdr';
}

/** A to Z, then AA, AB, … */
function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** Pooled proportions on the effective bases, df e1 + e2 - 2; null where nothing varies or too few are left. */
function testPair(a: ComparedColumn, b: ComparedColumn): Pick<Pair, 't' | 'df' | 'pValue'> | null {
  const [e1, e2] = [effectiveCount(a.base), effectiveCount(b.base)];
  const df = e1 + e2 - 2;
  const pooled = (e1 * a.share + e2 * b.share) / (e1 + e2);
  const variance = pooled * (1 - pooled) * (1 / e1 + 1 / e2);
  if (!(df > 0 && variance > 0 && Number.isFinite(variance))) return null;
  const t = (a.share - b.share) / Math.sqrt(variance);
  return { t, df, pValue: tTwoSided(t, df) };
}

function correct(pairs: Pair[], correction: CompareSettings['correction']): Pair[] {
  const tests = pairs.length;
  if (correction === 'none') return pairs;
  if (correction === 'bonferroni') {
    return pairs.map((pair) => ({ ...pair, pValue: Math.min(1, pair.pValue * tests) }));
  }
  // Y. Benjamini, Y. Hochberg (1995), stepping down from the largest.
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

/** Which columns differ in one row of a table. The columns must not share respondents. */
export function compareColumns(
  columns: readonly ComparedColumn[],
  { minBase, correction }: CompareSettings,
): ColumnComparison {
  const tested: Pair[] = [];
  for (const [first, a] of columns.entries()) {
    for (const [second, b] of columns.entries()) {
      if (second <= first || a.base.count < minBase || b.base.count < minBase) continue;
      const test = testPair(a, b);
      if (test) tested.push({ first, second, ...test });
    }
  }
  const pairs = correct(tested, correction);
  const letters: string[][] = columns.map(() => []);
  for (const { first, second, t, pValue } of pairs) {
    if (pValue >= 0.1) continue;
    const [above, below] = t > 0 ? [first, second] : [second, first];
    const letter = columnLetter(below);
    letters[above]!.push(pValue < 0.05 ? letter : letter.toLowerCase());
  }
  return { pairs, letters };
}
