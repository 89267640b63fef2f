import { z } from 'zod';
import { ANOMALY_KINDS, INSIGHT_KINDS } from '../../domain/insights/finding.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/dataset/response-row.ts';
import { idText } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import { gone } from '../../lib/errors.ts';
import type { InsightRequest } from '../../services/ai/analysis/insights/insight-data.ts';
import { onSurveyWithAi } from '../guards.ts';
import { workspaceQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { countingBody, filterBody, selectionOf, weightOf } from '../selection-query.ts';
import { analysisReply } from './text-replies.ts';

const MAX_QUESTIONS = 1_000;
const count = z.int().nonnegative();
const probability = z.number().min(0).max(1).nullable();
const columnText = z.string().min(1).max(120);

const lookBody = {
  status: z
    .array(z.enum(RESPONSE_STATUSES))
    .min(1)
    .optional()
    .describe('Complete responses unless it says otherwise'),
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  ...countingBody,
  weight: columnText.optional().describe('A numeric column to weight by; `weight_column` means the same'),
  weight_column: columnText.optional(),
  engine: z
    .literal('built-in', 'must be "built-in", or left out')
    .optional()
    .describe('What is built in words it, although a language model is configured'),
};

const { engine, model, method, counted, usage, credits_used, credits_remaining } = analysisReply;

const findingsReply = z
  .strictObject({
    engine,
    model,
    method,
    results: z.array(
      z.strictObject({
        id: z.string().describe('The same when the same is found again'),
        kind: z.enum([...INSIGHT_KINDS, ...ANOMALY_KINDS]),
        headline: z.string(),
        explanation: z.string(),
        suggestion: z.string().nullable(),
        statement: z.string().describe('What was found, in our words and figures, whoever worded the rest'),
        figures: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
        evidence: z.strictObject({
          question_ids: z.array(z.int()),
          response_ids: z.array(z.int()).max(50).nullable().describe('The most conspicuous 50 of them'),
          response_count: count.nullable(),
          base: count.describe('Responses that it was computed from, unweighted'),
          p_value: probability.describe('null: nothing was tested, it describes'),
          q_value: probability.describe('After the correction over everything that was tested'),
          effect: z
            .strictObject({
              measure: z.enum(['cramers_v', 'cohens_h', 'cohens_d', 'pearson_r', 'ratio', 'share']),
              value: z.number(),
            })
            .nullable(),
        }),
      }),
    ),
    basis: z.string().describe('What was looked at and tested, in words'),
    counted,
    tested: z.strictObject({
      responses: count,
      questions: count,
      pairs: count.describe('Pairs of questions, and of questions and segments, that were compared'),
      of: count.describe('Pairs that could have been; where there are too many, some are taken evenly'),
      tests: count,
      false_discovery_rate: z.number(),
      min_base: count,
    }),
    usage,
    credits_used,
    credits_remaining,
  })
  .meta({ id: 'Findings' });

interface LookBody {
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

const requestOf = (body: LookBody): InsightRequest => ({
  ...selectionOf(body, ['complete']),
  questionIds: body.question_ids ?? null,
  weightColumn: weightOf(body),
  engine: body.engine ?? null,
});

/** Whoever left hears of nothing. */
async function unlessLeft<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) throw gone('client_left', 'The client went away before it was done');
    throw error;
  }
}

const common = {
  method: 'post' as const,
  access: onSurveyWithAi('view'),
  params: z.strictObject({ surveyId: idText }),
  query: workspaceQuery,
  idempotent: false,
  errors: {
    402: 'More credits may be needed than are left',
    422: 'The weight is no numeric column',
    502: 'The language model gave nothing that can be used',
    503: 'The language model is away',
  },
};

const PAID =
  'Statistics are computed without a model and are free; writing them as text uses credits, once for the same findings. If nothing is found, ' +
  '`results` is empty and `basis` describes what was analyzed.';

const WEIGHTS =
  'Shares are compared with the test of crosstabs: chi-square, or with a weight the Rao-Scott F test. Weight columns are not analyzed: neither the ' +
  'one used here, nor other weights, nor the weight variable of an imported file.';

export const insightRoutes = [
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/insights',
    operationId: 'findInsights',
    summary: 'Find insights',
    description: [
      'Clear majorities, top boxes and the Net Promoter Score with 95 % intervals; differences between segments (single choices of 2 to 12 options, waves, ' +
        'links, languages); what goes with the key measure (the Net Promoter Score, or the overall rating); breaks between neighbouring waves; how many did not finish.',
      'Every test counts in one correction (Benjamini and Hochberg), effects that are less than small are not told, groups of fewer than 30 respondents are not ' +
        'compared, and options flagged as missing are left out. The most of effect and evidence comes first; of the same pair only the best is told.',
      WEIGHTS,
      PAID,
    ].join('\n\n'),
    body: z.strictObject({
      question_ids: z
        .array(z.int().min(1))
        .min(1)
        .max(MAX_QUESTIONS)
        .optional()
        .describe('Only what is about these questions; segments are still all'),
      ...lookBody,
    }),
    example: {
      question_ids: [1, 4],
      filter: 'Q2 >= 18',
    },
    reply: data(findingsReply),
    handler: ({ services, scope, body, request: { signal } }) =>
      unlessLeft(signal, services.insights.find('insights', scope, requestOf(body), signal)),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/anomalies',
    operationId: 'findAnomalies',
    summary: 'Find anomalies',
    description: [
      'Amounts and durations far from all others (modified z by the median absolute deviation, and Tukey’s outer fences), responses that are too fast, the same all ' +
        'the way down or improbable as a whole, days with far more or fewer responses, links whose answers differ, days from which on a question was answered differently.',
      WEIGHTS,
      'Nothing is changed or flagged; `response_ids` say where to look. Tests count in one correction (Benjamini and Hochberg).',
      PAID,
    ].join('\n\n'),
    body: z.strictObject(lookBody),
    example: {
      filter: 'Q2 >= 18',
    },
    reply: data(findingsReply),
    handler: ({ services, scope, body, request: { signal } }) =>
      unlessLeft(signal, services.insights.find('anomalies', scope, requestOf(body), signal)),
  }),
];
