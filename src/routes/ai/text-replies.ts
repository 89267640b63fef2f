import { z } from 'zod';
import { SENTIMENTS } from '../../services/ai/analysis/text-analyzer.ts';
import { countedSchema } from '../selection-query.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const confidence = z.number().min(0).max(1);
const base = count.describe('Texts that were read; shares are of it, from 0 to 1, unweighted');

/** What every reply says beside what was found. */
export const analysisReply = {
  engine: z.enum(['openai', 'built-in']),
  model: z.string(),
  method: z.string().describe('How the engine comes to its results'),
  question_id: z.int(),
  texts: z
    .strictObject({
      read: count.describe('Of which texts it is, read now or before'),
      of: count.describe('Texts of the selected responses'),
      blank: count.describe('Selected responses without a text'),
    })
    .meta({ id: 'TextsRead' }),
  counted: countedSchema,
  saved_as: z
    .strictObject({
      column_code: z.string(),
      label: z.string(),
      responses: count,
      change_id: z.int().nullable().describe('Undoes it; null: the column held just that already'),
    })
    .nullable()
    .meta({ id: 'SavedColumn' }),
  usage: z.strictObject({ input_tokens: count, output_tokens: count }).meta({ id: 'TokenUsage' }),
  credits_used: count.describe('0 for what was read before'),
  credits_remaining: z.int(),
};

const example = z.strictObject({
  response_id: z.int(),
  text: z.string().describe('Cut after 500 characters'),
});
const examples = z.array(example).max(5);
const evidence = {
  count: count.describe('Responses that say so'),
  response_ids: z.array(z.int()).max(1_000).describe('The first 1,000 of them'),
  examples,
};
const bySentiment = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ negative: schema, neutral: schema, positive: schema });

export const sentimentReply = z
  .strictObject({
    ...analysisReply,
    summary: z.strictObject({
      base,
      counts: bySentiment(count),
      shares: bySentiment(share),
      mean: z.number().min(-1).max(1).nullable().describe('From -1 (all negative) to 1 (all positive)'),
    }),
    results: z.array(z.strictObject({ response_id: z.int(), sentiment: z.enum(SENTIMENTS), confidence })),
  })
  .meta({ id: 'SentimentAnalysis' });

export const themesReply = z
  .strictObject({
    ...analysisReply,
    base,
    proposed_from: count.describe(
      'From so many texts, spread evenly, the themes were made out; all were then looked through for them',
    ),
    themes: z
      .array(z.strictObject({ theme: z.string(), description: z.string(), share, ...evidence }))
      .describe('The most common first; a text may be about several'),
    without_theme: z.strictObject({ count, share }),
  })
  .meta({ id: 'ThemeAnalysis' });

export const classifyReply = z
  .strictObject({
    ...analysisReply,
    proposed: z.boolean().describe('The categories were proposed, as none were given'),
    base,
    categories: z.array(
      z.strictObject({ category: z.string(), description: z.string().nullable(), count, share }),
    ),
    uncategorized: z.strictObject({ count, share }),
    results: z.array(
      z.strictObject({
        response_id: z.int(),
        category: z.string().nullable().describe('null: none fits'),
        confidence,
      }),
    ),
  })
  .meta({ id: 'Classification' });

export const suggestionReply = z
  .strictObject({
    ...analysisReply,
    categories: z.array(z.strictObject({ category: z.string(), description: z.string(), examples })),
  })
  .meta({ id: 'CategorySuggestions' });

export const summaryReply = z
  .strictObject({
    ...analysisReply,
    summary: z.string().nullable().describe('null: there are no texts'),
    points: z.array(z.strictObject({ text: z.string(), ...evidence })).describe('What it rests on'),
    basis: z.string().describe('How many texts it was made from, in words'),
  })
  .meta({ id: 'TextSummary' });

export const translationReply = z
  .strictObject({
    ...analysisReply,
    target_language: z.string(),
    languages: z
      .array(z.strictObject({ language: z.string().nullable(), count }))
      .describe('In which languages the texts are (ISO 639-1), the most common first; null: not known'),
    results: z.array(
      z.strictObject({
        response_id: z.int(),
        translation: z.string(),
        detected_language: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Translation' });
