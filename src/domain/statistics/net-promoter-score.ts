import type { Tally } from './tally.ts';

/**
 * Percent of promoters (9 and 10) minus percent of detractors (0 to 6), by weight, -100 to 100; null without answers. F. F.
 * Reichheld, "The one number you need to grow", Harvard Business Review 81 (2003).
 */
export function computeNetPromoterScore({ values, weights }: Tally): number | null {
  let promoters = 0;
  let detractors = 0;
  let all = 0;
  for (let index = 0; index < values.length; index++) {
    const weight = weights[index]!;
    all += weight;
    if (values[index]! >= 9) promoters += weight;
    else if (values[index]! <= 6) detractors += weight;
  }
  return all > 0 ? (100 * (promoters - detractors)) / all : null;
}
