import { computeMoments } from './moments.ts';
import { computeNetPromoterScore } from './net-promoter-score.ts';
import { computeQuantile } from './quantile.ts';
import type { Tally } from './tally.ts';

/** Descriptive statistics of a numeric variable; null with too few values. */
export interface Summary {
  mean: number | null;
  median: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
  p25: number | null;
  p75: number | null;
  /** Only for an NPS question. */
  nps?: number | null;
}

/** Computes descriptive statistics of a tally, weighted if it is. `nps`: adds the Net Promoter Score of answers from 0 to 10. */
export function summarize(tally: Tally, { nps = false } = {}): Summary {
  const { mean, sd } = computeMoments(tally);
  const summary: Summary = {
    mean,
    median: computeQuantile(tally, 0.5),
    sd,
    min: tally.values[0] ?? null,
    max: tally.values.at(-1) ?? null,
    p25: computeQuantile(tally, 0.25),
    p75: computeQuantile(tally, 0.75),
  };
  return nps ? { ...summary, nps: computeNetPromoterScore(tally) } : summary;
}
