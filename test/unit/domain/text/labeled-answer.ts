import type { ScoredSentiment } from '../../../../src/domain/text/sentiment.ts';

/** Answers in a language by the sentiment a reader assigns; balanced ones are neutral. */
export type LabeledAnswers = Readonly<
  Record<string, Readonly<Record<ScoredSentiment['sentiment'], readonly string[]>>>
>;
