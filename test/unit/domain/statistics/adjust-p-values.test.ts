import { expect, it } from 'vitest';
import { adjustPValues, type Correction } from '../../../../src/domain/statistics/adjust-p-values.ts';

// p.adjust(c(.01, .04, .03, .5), method)
it.each([
  ['none', [0.01, 0.04, 0.03, 0.5]],
  ['bonferroni', [0.04, 0.16, 0.12, 1]],
  ['holm', [0.04, 0.09, 0.09, 0.5]],
  ['fdr', [0.04, 0.16 / 3, 0.16 / 3, 0.5]],
] as [Correction, number[]][])('adjusts p values by %s', (correction, wanted) => {
  const adjusted = adjustPValues([0.01, 0.04, 0.03, 0.5], correction);
  for (const [index, value] of wanted.entries()) expect(adjusted[index]).toBeCloseTo(value, 12);
});
