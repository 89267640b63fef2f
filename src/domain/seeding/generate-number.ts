import type { QuestionWithType } from '../survey/definition.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { Tendency, QuestionProfile } from './question-profile.ts';

/** Slope: how far one standard deviation moves along a scale. */
const SLOPE = 1.3;

/** Returns a 0-based point index on a scale of `count` points. The points of one respondent correlate by the loadings. */
export function generatePointIndex(
  count: number,
  { centre, loading }: Tendency,
  { random: chance, attitude }: SyntheticRespondent,
): number {
  const latentValue = centre + loading * attitude + Math.sqrt(1 - loading ** 2) * chance.normal();
  return Math.min(count - 1, Math.floor(count / (1 + Math.exp(-SLOPE * latentValue))));
}

/** Generates a point of the scale: `min` plus a number of steps. */
export function generateScalePoint(
  question: QuestionWithType<'scale' | 'slider' | 'nps'>,
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): number {
  const { min, max, step } = question.type === 'nps' ? { min: 0, max: 10, step: 1 } : question.settings;
  const count = Math.floor((max - min) / step + 1e-9) + 1;
  return min + generatePointIndex(count, profile.tendency, respondent) * step;
}

/** Typical distance for questions without bounds, in units; ten times as much is rare. */
const DEFAULT_DISTANCE = 20;

/** Generates a number around a centre, within the bounds and on the question's steps. */
export function generateNumber(
  question: QuestionWithType<'number'>,
  { tendency }: QuestionProfile,
  { random: chance, attitude }: SyntheticRespondent,
): number {
  const { min, max, step, decimals } = question.settings;
  const latentValue =
    tendency.centre +
    0.3 * tendency.loading * attitude +
    Math.sqrt(1 - 0.09 * tendency.loading ** 2) * chance.normal();
  const unit = step ?? 10 ** -decimals;
  let value: number;
  if (min !== null && max !== null) {
    value = (min + max) / 2 + ((max - min) / 6) * latentValue;
    // Values outside are drawn uniformly: a cluster at the bounds would not be plausible.
    if (value < min || value > max) value = min + chance.next() * (max - min);
  } else {
    const distance = Math.max(DEFAULT_DISTANCE * unit, 1) * Math.exp(0.6 * latentValue);
    value = max === null ? (min ?? 0) + distance : max - distance;
  }
  const from = min ?? 0;
  const stepped = from + Math.round((value - from) / unit) * unit;
  const within =
    max !== null && stepped > max ? stepped - unit : min !== null && stepped < min ? stepped + unit : stepped;
  return Number(within.toFixed(decimals));
}
