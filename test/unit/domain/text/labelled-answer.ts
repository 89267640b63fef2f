import type { ScoredSentiment } from '../../../../src/domain/text/sentiment.ts';

/** Answers of a language, by what a reader would say that they feel. Mixed ones that lean nowhere are neutral. */
export type LabelledAnswers = Readonly<
  Record<string, Readonly<Record<ScoredSentiment['sentiment'], readonly string[]>>>
>;
