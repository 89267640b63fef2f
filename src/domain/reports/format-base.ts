import type { ChartBase } from '../charts/chart-data.ts';
import { formatNumber, isWeightedBase } from '../charts/figure-texts.ts';

/** `Base: 2,436 respondents (weighted 2,436, effective 2,101)`. */
export function formatBase(base: ChartBase | null): string {
  if (base === null) return 'Base: hidden (too few respondents)';
  const { unweighted, weighted, effective } = base;
  const noun = unweighted === 1 ? 'respondent' : 'respondents';
  const sizes = isWeightedBase(base)
    ? ` (weighted ${formatNumber(weighted, 0)}, effective ${formatNumber(effective, 0)})`
    : '';
  return `Base: ${formatNumber(unweighted, 0)} ${noun}${sizes}`;
}
