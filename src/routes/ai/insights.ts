import { z } from 'zod';
import { ANOMALY_KINDS, INSIGHT_KINDS } from '../../domain/insights/finding.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/responses/response-row.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { gone } from '../../lib/errors.ts';
import type { InsightRequest } from '../../services/ai/analysis/insights.ts';
import { onSurveyWithAi, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { countingBody, filterBody, toSelection, weightOf } from '../selection-query.ts';
import { analysisReply } from './texts.ts';
import { findInsightsReplyExample, findAnomaliesReplyExample } from './insights-examples.ts';

const MAX_QUESTIONS = 1_000;
const count = z.int().nonnegative();
const probability = z.number().min(0).max(1).nullable();
const columnText = z.string().min(1).max(120);

const findingsBody = {
  status: z
    .array(z.enum(RESPONSE_STATUSES))
    .min(1)
    .optional()
    .describe('Statuses of the responses to use. Default: complete'),
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  ...countingBody,
  weight: columnText.optional().describe('A numeric column to weight by. `weight_column` is an alias'),
  weight_column: columnText.optional(),
  engine: z
    .literal('built-in', 'must be "built-in", or left out')
    .optional()
    .describe('Write the text with the built-in engine even if a language model is configured'),
};

const { engine, model, method, counted, usage, credits_used, credits_remaining } = analysisReply;

const findingsReply = z
  .strictObject({
    engine,
    model,
    method,
    results: z.array(
      z.strictObject({
        id: z.string().describe('Stable id: the same finding has the same id in later requests'),
        kind: z.enum([...INSIGHT_KINDS, ...ANOMALY_KINDS]),
        headline: z.string(),
        explanation: z.string(),
        suggestion: z.string().nullable(),
        statement: z
          .string()
          .describe('The finding with its figures, written by Canvass and not by the language model'),
        figures: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
        evidence: z.strictObject({
          question_ids: z.array(z.int()),
          response_ids: z
            .array(z.int())
            .max(50)
            .nullable()
            .describe(
              'At most 50 responses, the most unusual first; null: the finding is not about single responses',
            ),
          response_count: count.nullable(),
          base: count.describe('Number of responses in the base, unweighted'),
          p_value: probability.describe('null: descriptive, without a test'),
          q_value: probability.describe(
            'p-value corrected for all tests of this request (Benjamini–Hochberg)',
          ),
          effect: z
            .strictObject({
              measure: z.enum(['cramers_v', 'cohens_h', 'cohens_d', 'pearson_r', 'ratio', 'share']),
              value: z.number(),
            })
            .nullable(),
        }),
      }),
    ),
    basis: z.string().describe('What was analyzed and tested, as text'),
    counted,
    tested: z.strictObject({
      responses: count,
      questions: count,
      pairs: count.describe('Number of compared pairs of questions, and of questions and segments'),
      of: count.describe(
        'Number of possible pairs; if there are too many, an evenly spread selection is compared',
      ),
      tests: count,
      false_discovery_rate: z.number(),
      min_base: count,
    }),
    usage,
    credits_used,
    credits_remaining,
  })
  .meta({ id: 'Findings' });

interface FindingsBody {
  question_ids?: number[] | undefined;
  status?: ResponseStatus[] | undefined;
  filter?: unknown;
  filters?: unknown;
  include_test?: boolean | null | undefined;
  quality?: 'exclude_confirmed' | 'include_all' | undefined;
  weight?: string | undefined;
  weight_column?: string | undefined;
  engine?: 'built-in' | undefined;
}

const requestOf = (body: FindingsBody): InsightRequest => ({
  ...toSelection(body, ['complete']),
  questionIds: body.question_ids ?? null,
  weightColumn: weightOf(body),
  engine: body.engine ?? null,
});

/** Replaces errors after the client disconnected, because no reply is sent. */
async function ignoreAfterDisconnect<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) throw gone('client_left', 'The client disconnected before the analysis was finished');
    throw error;
  }
}

const common = {
  method: 'post' as const,
  access: onSurveyWithAi('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  idempotent: false,
  errors: {
    402: 'Not enough credits left for the largest possible cost',
    422: 'The weight is not a numeric column',
    502: 'The reply of the language model cannot be used',
    503: 'The language model does not respond',
  },
};

const COST =
  'Statistics are computed without a model and are free; writing them as text uses credits, once for the same findings. If nothing is found, ' +
  '`results` is empty and `basis` describes what was analyzed.';

const WEIGHTS =
  'Shares are compared with the test of crosstabs: chi-square, or with a weight the Rao–Scott F test. Weight columns ' +
  'are not analyzed: neither the one used here, nor other weights, nor the weight variable of an imported file.';

export const insightRoutes = [
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/insights',
    operationId: 'findInsights',
    summary: 'Find insights',
    description: [
      'Finds clear majorities, top boxes and the Net Promoter Score with 95 % intervals; differences between segments ' +
        '(single choices of 2 to 12 options, waves, links, languages); drivers of the key measure (the Net Promoter Score, ' +
        'or the overall rating); changes between consecutive waves; and the drop-out rate.',
      'All tests are corrected together (Benjamini–Hochberg). Effects below the threshold of a small effect are left out, ' +
        'groups of fewer than 30 respondents are not compared, and options marked as missing are ignored. Results are ' +
        'sorted by effect and evidence; of several findings about the same pair, only the strongest is returned.',
      WEIGHTS,
      COST,
    ].join('\n\n'),
    body: z.strictObject({
      question_ids: z
        .array(z.int().min(1))
        .min(1)
        .max(MAX_QUESTIONS)
        .optional()
        .describe('Only findings about these questions. Segments still use all questions'),
      ...findingsBody,
    }),
    example: {
      question_ids: [1, 4],
      filter: 'Q2 >= 18',
    },
    reply: dataReply(findingsReply),
    replyExample: findInsightsReplyExample,
    handler: ({ services, scope, body, request: { signal } }) =>
      ignoreAfterDisconnect(
        signal,
        services.insights.find({ operation: 'insights', scope, request: requestOf(body), signal }),
      ),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/anomalies',
    operationId: 'findAnomalies',
    summary: 'Find anomalies',
    description: [
      'Finds outlying numbers and durations (modified z-score by the median absolute deviation, and Tukey’s outer ' +
        'fences), responses that are too fast, straightlined or improbable as a whole, days with unusually many or few ' +
        'responses, links whose answers differ, and days after which a question was answered differently.',
      WEIGHTS,
      'Nothing is changed or flagged; `response_ids` lists the responses to review. All tests are corrected together ' +
        '(Benjamini–Hochberg).',
      COST,
    ].join('\n\n'),
    body: z.strictObject(findingsBody),
    example: {
      filter: 'Q2 >= 18',
    },
    reply: dataReply(findingsReply),
    replyExample: findAnomaliesReplyExample,
    handler: ({ services, scope, body, request: { signal } }) =>
      ignoreAfterDisconnect(
        signal,
        services.insights.find({ operation: 'anomalies', scope, request: requestOf(body), signal }),
      ),
  }),
];
