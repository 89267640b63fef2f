import type { ChartBase } from '../charts/chart-data.ts';
import { numberText } from '../charts/figure-text.ts';
import { isWeightedBase } from '../charts/figure-words.ts';

/** `Base: 2,436 respondents (weighted 2,436, effective 2,101)`. */
export function formatBase(base: ChartBase | null): string {
  if (base === null) return 'Base: too few respondents to be told of';
  const { unweighted, weighted, effective } = base;
  const people = unweighted === 1 ? 'respondent' : 'respondents';
  const sizes = isWeightedBase(base)
    ? ` (weighted ${numberText(weighted, 0)}, effective ${numberText(effective, 0)})`
    : '';
  return `Base: ${numberText(unweighted, 0)} ${people}${sizes}`;
}
