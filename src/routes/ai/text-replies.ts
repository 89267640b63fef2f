import { z } from 'zod';
import { SENTIMENTS } from '../../services/ai/analysis/text-analyzer.ts';
import { inclusionCountsSchema } from '../selection-query.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const confidence = z.number().min(0).max(1);
const base = count.describe('Number of analyzed texts: the base of all shares (0 to 1, unweighted)');

/** Fields that the replies of all text operations share. */
export const analysisReply = {
  engine: z.enum(['openai', 'built-in']),
  model: z.string(),
  method: z.string().describe('How the engine computes its results'),
  question_id: z.int(),
  texts: z
    .strictObject({
      read: count.describe('Texts that the result is based on, analyzed now or earlier'),
      of: count.describe('Texts of the selected responses'),
      blank: count.describe('Selected responses without a text'),
    })
    .meta({ id: 'AnalyzedTexts' }),
  counted: inclusionCountsSchema,
  saved_as: z
    .strictObject({
      column_code: z.string(),
      label: z.string(),
      responses: count,
      change_id: z
        .int()
        .nullable()
        .describe('The entry in the change log, for undo; null: the column was already up to date'),
    })
    .meta({ id: 'SavedColumn' })
    .nullable(),
  usage: z.strictObject({ input_tokens: count, output_tokens: count }).meta({ id: 'TokenUsage' }),
  credits_used: count.describe('0 for texts that were analyzed earlier'),
  credits_remaining: z.int(),
};

const example = z
  .strictObject({ response_id: z.int(), text: z.string().describe('At most 500 characters') })
  .meta({ id: 'TextExample' });
const examples = z.array(example).max(5);
const evidence = {
  count: count.describe('Number of responses'),
  response_ids: z.array(z.int()).max(1_000).describe('The first 1,000 responses'),
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
      'Number of texts, spread evenly, from which the themes were derived; all texts were then assigned to them',
    ),
    themes: z
      .array(z.strictObject({ theme: z.string(), description: z.string(), share, ...evidence }))
      .describe('Most common theme first. A text can have several themes'),
    without_theme: z.strictObject({ count, share }),
  })
  .meta({ id: 'ThemeAnalysis' });

export const classifyReply = z
  .strictObject({
    ...analysisReply,
    proposed: z.boolean().describe('Whether the categories were suggested because none were given'),
    base,
    categories: z.array(
      z.strictObject({ category: z.string(), description: z.string().nullable(), count, share }),
    ),
    uncategorized: z.strictObject({ count, share }),
    results: z.array(
      z.strictObject({
        response_id: z.int(),
        category: z.string().nullable().describe('null: no category fits'),
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
    summary: z.string().nullable().describe('null: no texts to summarize'),
    points: z
      .array(z.strictObject({ text: z.string(), ...evidence }))
      .describe('Points of the summary with the responses that support them'),
    basis: z.string().describe('Number of summarized texts, as a sentence'),
  })
  .meta({ id: 'TextSummary' });

export const translationReply = z
  .strictObject({
    ...analysisReply,
    target_language: z.string(),
    languages: z
      .array(z.strictObject({ language: z.string().nullable(), count }))
      .describe('Detected languages (ISO 639-1), most common first; null: unknown'),
    results: z.array(
      z.strictObject({
        response_id: z.int(),
        translation: z.string(),
        detected_language: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Translation' });
