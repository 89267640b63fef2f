import { type Sentiment, SENTIMENTS, type TextSentiment } from '../text-analyzer.ts';
import { countByCategory, type TextOperationHandler, createRun, computeShare } from './operation.ts';

export interface SentimentMembers {
  summary: {
    /** Number of texts; shares of it are from 0 to 1, unweighted. */
    base: number;
    counts: Record<Sentiment, number>;
    shares: Record<Sentiment, number>;
    /** From -1 (all negative) to 1 (all positive); null without texts. */
    mean: number | null;
  };
  results: { response_id: number; sentiment: Sentiment; confidence: number }[];
}

const LABELS: Record<Sentiment, string> = { negative: 'Negative', neutral: 'Neutral', positive: 'Positive' };

export const sentimentOperation: TextOperationHandler<SentimentMembers> = {
  async countUncached(task) {
    return (await task.runs.listUncached(createRun(task, 'sentiment'), task.textData.texts)).length;
  },

  async perform(task) {
    const { runs, analyst, textData: gathered } = task;
    const { texts, responseIds } = gathered;
    const run = createRun(task, 'sentiment');
    const { result, ...billing } = await runs.runPerText<TextSentiment>(run, texts, {
      limits: analyst.batchLimits,
      maxTokens: (texts) => analyst.maxTokens({ operation: 'sentiment' }, texts),
      analyze: (reservation, texts) => analyst.detectSentiments(reservation, texts, run.signal),
      isCacheable: ({ confidence }) => confidence > 0,
    });
    const categoryOf = result.map((one) => SENTIMENTS.indexOf(one.sentiment));
    const base = texts.length;
    const { counts } = countByCategory(categoryOf, SENTIMENTS.length);
    const [negative = 0, neutral = 0, positive = 0] = counts;
    return {
      ...billing,
      read: base,
      members: {
        summary: {
          base,
          counts: { negative, neutral, positive },
          shares: {
            negative: computeShare(negative, base),
            neutral: computeShare(neutral, base),
            positive: computeShare(positive, base),
          },
          mean: base === 0 ? null : (positive - negative) / base,
        },
        results: result.map((one, index) => ({
          response_id: responseIds[index]!,
          sentiment: one.sentiment,
          confidence: one.confidence,
        })),
      },
      coding: {
        measure: 'ordinal',
        categories: SENTIMENTS.map((value) => ({ value, label: LABELS[value] })),
        categoryOf,
      },
    };
  },

  summarizeForJob: ({ summary }) => ({ summary }),
};
