import type { Tally } from '../statistics/tally.ts';
import type { Measure } from './measure.ts';

/** Whether the measure reveals the sum of the respondents' values. */
export const isAdditive = ({ name }: Pick<Measure, 'name'>): boolean => name === 'sum' || name === 'mean';

/**
 * The largest contribution of one respondent to a sum, in percent of all others together. Returns Infinity if the others contribute
 * nothing, and null if there are no contributions. Contributions are absolute values times weights. Among respondents with the same
 * value, the largest weight is bounded by the mean and spread of their weights (P. A. Samuelson, "How deviant can you be?", JASA 63, 1968).
 */
export function largestContribution({ values, counts, weights, squaredWeights }: Tally): number | null {
  let [largest, all] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const count = counts[index]!;
    if (!(count > 0)) continue;
    const size = Math.abs(values[index]!);
    const mean = weights[index]! / count;
    const spread = Math.max(0, squaredWeights[index]! / count - mean * mean);
    largest = Math.max(largest, size * (mean + Math.sqrt((count - 1) * spread)));
    all += size * weights[index]!;
  }
  if (largest === 0) return null;
  const others = all - largest;
  return others > 0 ? (100 * largest) / others : Infinity;
}
