import type { QuestionProfile, Tendency } from './question-profile.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';

/** Slope: how far one standard deviation moves along a scale. */
const SLOPE = 1.3;

/** Returns a 0-based point index on a scale of `count` points. The points of one respondent correlate by the loadings. */
export function generatePointIndex(
  count: number,
  { center, loading }: Tendency,
  { random: chance, attitude }: SyntheticRespondent,
): number {
  const latentValue = center + loading * attitude + Math.sqrt(1 - loading ** 2) * chance.normal();
  return Math.min(count - 1, Math.floor(count / (1 + Math.exp(-SLOPE * latentValue))));
}

/** Generates a point of the scale: `min` plus a number of steps. */
export function generateScalePoint(
  { min, max, step }: { min: number; max: number; step: number },
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): number {
  const count = Math.floor((max - min) / step + 1e-9) + 1;
  return min + generatePointIndex(count, profile.tendency, respondent) * step;
}
