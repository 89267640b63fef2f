import type { QuestionData } from './figure-kind.ts';

const isWeighted = (value: unknown): value is { weighted_percent: number } =>
  typeof value === 'object' &&
  value !== null &&
  'weighted_percent' in value &&
  typeof value.weighted_percent === 'number';

/** Returns the figures of a question with the weighted percentages in the place of the others. Counts stay those of respondents. */
export const withWeightedShares = (data: QuestionData): QuestionData =>
  JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
    isWeighted(value) ? { ...value, percent: value.weighted_percent } : value,
  ) as QuestionData;
