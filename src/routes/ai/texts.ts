import { z } from 'zod';
import { ENGINES } from '../../domain/credits/credits.ts';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/responses/response-row.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { duplicateOf, mustBe } from '../../lib/error-messages.ts';
import { gone } from '../../lib/errors.ts';
import type { TextOperation, TextRequest } from '../../services/ai/analysis/analyzed-texts.ts';
import type { TextReply } from '../../services/ai/analysis/text-analysis.ts';
import { SENTIMENTS } from '../../services/ai/analysis/text-analyzer.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { onSurveyWithAi, surveyQuery } from '../guards.ts';
import { countingBody, filterBody, inclusionCountsSchema, toSelection } from '../selection-query.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const confidence = z.number().min(0).max(1);
const base = count.describe('Number of analyzed texts: the base of all shares (0 to 1, unweighted)');

/** Fields that the replies of all text operations share. */
export const analysisReply = {
  engine: z.enum(ENGINES),
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

const sentimentReply = z
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

const themesReply = z
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

const classifyReply = z
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

const suggestionReply = z
  .strictObject({
    ...analysisReply,
    categories: z.array(z.strictObject({ category: z.string(), description: z.string(), examples })),
  })
  .meta({ id: 'CategorySuggestions' });

const summaryReply = z
  .strictObject({
    ...analysisReply,
    summary: z.string().nullable().describe('null: no texts to summarize'),
    points: z
      .array(z.strictObject({ text: z.string(), ...evidence }))
      .describe('Points of the summary with the responses that support them'),
    basis: z.string().describe('Number of summarized texts, as a sentence'),
  })
  .meta({ id: 'TextSummary' });

const translationReply = z
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

const MIN_CATEGORIES = 2;
const MAX_CATEGORIES = 50;

/** Fields that the bodies of all text operations share. */
const textBody = {
  question_id: z.int().min(1).describe('A text question of the survey'),
  status: z
    .array(z.enum(RESPONSE_STATUSES))
    .min(1)
    .optional()
    .describe('Statuses of the responses to use. Default: complete'),
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  ...countingBody,
  engine: z
    .literal('built-in', 'must be "built-in", or left out')
    .optional()
    .describe('Use the built-in engine even if a language model is configured'),
};

/** For operations with one category per text. */
const saveAsColumn = z
  .union(
    [
      z.string().min(1).max(120),
      z.strictObject({
        column_code: z.string().min(1).max(120),
        name: z.string().trim().min(1).max(200).optional(),
      }),
    ],
    { error: ({ input }) => mustBe('the code of a column, or {"column_code": …, "name": …}', input) },
  )
  .optional()
  .describe(
    'Store the result as a derived column with this code; requires edit permission. An existing column of the same ' +
      'analysis is updated. The change can be undone in the change log',
  );

/** Categories of the request. */
const categoriesInput = z
  .array(z.string().trim().min(1).max(100))
  .min(MIN_CATEGORIES)
  .max(MAX_CATEGORIES)
  .superRefine((names, context) => {
    const first = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      const before = first.get(name.toLowerCase());
      if (before === undefined) first.set(name.toLowerCase(), index);
      else context.addIssue({ code: 'custom', path: [index], message: duplicateOf(`categories[${before}]`) });
    }
  })
  .optional()
  .describe(
    'Each text is assigned to one of them, or to none. Default: categories are suggested first, at additional cost',
  );

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** ISO 639 codes that do not stand for a single language. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'zxx', 'mis']);

/** Returns the tag in canonical form; null if it is not a language. */
function languageTag(text: string): string | null {
  try {
    const { baseName, language } = new Intl.Locale(text);
    const isKnown = !NO_LANGUAGE.has(language) && languageNames.of(language) !== undefined;
    return isKnown ? baseName : null;
  } catch {
    return null;
  }
}

const languageInput = z
  .string()
  .max(35)
  .transform((value, context) => {
    const tag = languageTag(value);
    if (tag !== null) return tag;
    const message = mustBe('an ISO 639 language code such as en, pt or de, or a tag such as pt-BR', value);
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    override: { type: 'string' },
    description: 'An ISO 639 code such as en, pt, es or de, or a BCP 47 tag such as pt-BR',
  });

interface TextBody {
  question_id: number;
  status?: ResponseStatus[] | undefined;
  filter?: unknown;
  filters?: unknown;
  include_test?: boolean | null | undefined;
  quality?: 'exclude_confirmed' | 'include_all' | undefined;
  engine?: 'built-in' | undefined;
  categories?: string[] | undefined;
  target_language?: string;
  save_as_column?: z.output<typeof saveAsColumn>;
}

function requestOf(operation: TextOperation, body: TextBody): TextRequest {
  const { status, filter, includeTest, includeConfirmed } = toSelection(body, ['complete']);
  return {
    operation,
    questionId: body.question_id,
    status: [...status],
    filter,
    includeTest,
    includeConfirmed,
    engine: body.engine ?? null,
    categories: body.categories ?? null,
    targetLanguage: body.target_language ?? null,
    saveAs: saveAsOf(body.save_as_column),
  };
}

function saveAsOf(input: TextBody['save_as_column']): TextRequest['saveAs'] {
  if (input === undefined) return null;
  if (typeof input === 'string') return { columnCode: input, name: null };
  return { columnCode: input.column_code, name: input.name ?? null };
}

interface Context {
  services: Services;
  scope: SurveyScope;
  body: TextBody;
  request: RequestMetadata;
}

/** The handler of a text operation, and the job that replaces it for many texts. */
function textOperation<O extends TextOperation>(operation: O) {
  return {
    background: {
      isLong: ({ services, scope, body }: Context): Promise<boolean> =>
        services.textAnalysis.needsJob(operation, scope, requestOf(operation, body)),
      start: ({ services, scope, body, request }: Context): Promise<number> =>
        services.textAnalysis.startJob(scope, requestOf(operation, body), request.id),
    },
    async handler({ services, scope, body, request }: Context): Promise<TextReply<O>> {
      const { signal } = request;
      try {
        return await services.textAnalysis.run({
          operation,
          scope,
          request: requestOf(operation, body),
          how: { signal },
        });
      } catch (error) {
        // The client disconnected, so no reply is sent.
        if (signal.aborted)
          throw gone('client_left', 'The client disconnected before the analysis was finished');
        throw error;
      }
    },
  };
}

const COMMON =
  'Uses credits: they are reserved first and settled afterwards; texts that were already analyzed and repeated requests are free. With more than ' +
  '2,000 new texts (20,000 with the built-in engine), or with `Prefer: respond-async`, the request becomes a job: its `result` has everything ' +
  'except single responses, its file the whole reply. If it is cancelled or the client disconnects, finished work is kept.';

const common = {
  method: 'post' as const,
  access: onSurveyWithAi('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  idempotent: false,
};
const errors = {
  402: 'Not enough credits left for the largest possible cost',
  422: 'Too many texts for one request',
  502: 'The reply of the language model cannot be used',
  503: 'The language model does not respond, or none is configured for this operation',
};
const savingErrors = { ...errors, 409: 'Another column has this code' };

export const textRoutes = [
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/sentiment',
    operationId: 'analyzeSentiment',
    summary: 'Analyze sentiment',
    description: `Rates each text as positive, neutral or negative, and returns the shares and their mean. ${COMMON}`,
    body: z.strictObject({ ...textBody, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
      save_as_column: 'Q7_sentiment',
    },
    reply: dataReply(sentimentReply),
    replyExample: {
      engine: 'built-in',
      model: 'lexicon-1',
      method: 'Words with a sentiment, their negations and intensifiers',
      question_id: 7,
      texts: { read: 281, of: 281, blank: 39 },
      counted: {
        responses: 320,
        test_responses_included: 0,
        test_responses_excluded: 0,
        quality_included: 0,
        quality_excluded: 0,
      },
      saved_as: null,
      usage: { input_tokens: 1742, output_tokens: 616 },
      credits_used: 1,
      credits_remaining: 979,
      summary: {
        base: 281,
        counts: { negative: 105, neutral: 46, positive: 130 },
        shares: { negative: 0.3737, neutral: 0.1637, positive: 0.4626 },
        mean: 0.08897,
      },
      results: [{ response_id: 2801, sentiment: 'positive', confidence: 0.71 }],
    },
    errors: savingErrors,
    ...textOperation('sentiment'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/themes',
    operationId: 'findThemes',
    summary: 'Find themes',
    description: `Returns themes with the responses that support them. Saved as a column, each response has its best matching theme. ${COMMON}`,
    body: z.strictObject({ ...textBody, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
    },
    reply: dataReply(themesReply),
    replyExample: {
      engine: 'built-in',
      model: 'lexicon-1',
      method: 'Words and word pairs that many texts share',
      question_id: 7,
      texts: { read: 281, of: 281, blank: 39 },
      counted: {
        responses: 320,
        test_responses_included: 0,
        test_responses_excluded: 0,
        quality_included: 0,
        quality_excluded: 0,
      },
      saved_as: null,
      usage: { input_tokens: 4400, output_tokens: 1016 },
      credits_used: 1,
      credits_remaining: 978,
      base: 281,
      proposed_from: 281,
      themes: [
        {
          theme: 'Coffee',
          description: 'Texts with “coffee”, often with “minutes”, “one”, “twenty”, “waiting”.',
          share: 0.21,
          count: 59,
          response_ids: [2801],
          examples: [{ response_id: 2802, text: 'I waited twenty minutes for one coffee.' }],
        },
      ],
      without_theme: { count: 59, share: 0.21 },
    },
    errors: savingErrors,
    ...textOperation('themes'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/classify',
    operationId: 'classifyTexts',
    summary: 'Classify texts',
    description: `Assigns each text to one of your categories, or to none. Without categories, they are suggested first. ${COMMON}`,
    body: z.strictObject({ ...textBody, categories: categoriesInput, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
      categories: ['Taste', 'Temperature', 'Choice', 'Nothing'],
    },
    reply: dataReply(classifyReply),
    replyExample: {
      engine: 'built-in',
      model: 'lexicon-1',
      method: 'Words of the name and description of each category',
      question_id: 7,
      texts: { read: 281, of: 281, blank: 39 },
      counted: {
        responses: 320,
        test_responses_included: 0,
        test_responses_excluded: 0,
        quality_included: 0,
        quality_excluded: 0,
      },
      saved_as: null,
      usage: { input_tokens: 1742, output_tokens: 616 },
      credits_used: 1,
      credits_remaining: 977,
      proposed: false,
      base: 281,
      categories: [
        { category: 'Coffee', description: null, count: 31, share: 0.1103 },
        { category: 'Service', description: null, count: 28, share: 0.0996 },
      ],
      uncategorized: { count: 222, share: 0.79 },
      results: [{ response_id: 2802, category: 'Coffee', confidence: 0.71 }],
    },
    errors: savingErrors,
    ...textOperation('classify'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/suggest-categories',
    operationId: 'suggestCategories',
    summary: 'Suggest categories',
    description: `Returns categories for \`classify\`, each with example texts. Nothing is stored. ${COMMON}`,
    body: z.strictObject(textBody),
    example: {
      question_id: 7,
    },
    reply: dataReply(suggestionReply),
    errors,
    ...textOperation('suggest-categories'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/summarize',
    operationId: 'summarizeTexts',
    summary: 'Summarize texts',
    description: `Returns summary points with the responses that support them. ${COMMON}`,
    body: z.strictObject(textBody),
    example: {
      question_id: 7,
    },
    reply: dataReply(summaryReply),
    errors,
    ...textOperation('summarize'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/translate',
    operationId: 'translateTexts',
    summary: 'Translate texts',
    description: `Returns the texts in the target language with their detected languages. Requires a language model, otherwise 503 \`ai_provider_required\`. ${COMMON}`,
    body: z.strictObject({ ...textBody, target_language: languageInput }),
    example: {
      question_id: 7,
      target_language: 'de',
    },
    reply: dataReply(translationReply),
    errors,
    ...textOperation('translate'),
  }),
];
