import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';
import { QUESTION_TYPES } from '../../../domain/questions/registry.ts';
import { BASES } from '../../../domain/statistics/base.ts';
import { idParam } from '../../../http/paging.ts';
import { dataReply } from '../../../http/reply.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { columnSchema, presentColumn } from '../grid/column-reply.ts';
import { compositeDistributionSchemas, distributionSchema } from './distribution-reply.ts';
import { surveyQuery } from '../../in-workspace.ts';
import { inclusionCountsSchema, selectionOf, selectionQuery, weightOf } from '../../selection-query.ts';

const columnText = z.string().min(1).max(120);
const weightQuery = {
  weight: columnText.optional().describe('A numeric column to weight by. `weight_column` is an alias'),
  weight_column: columnText.optional(),
};
const count = z.int().nonnegative();
const baseQuery = z
  .enum(BASES)
  .optional()
  .describe(
    'Base of the percentages: respondents who answered (`answering`, the default; for a multiple choice also those who ' +
      'selected no option), who were shown the question (`shown`), or all selected responses (`all`). For a whole ' +
      'ranking, the default is `shown`, and `answering` means respondents who ranked the option',
  );

const DISTRIBUTION_ERRORS = {
  422: 'The weight is not a numeric column',
  503: 'Too many large figures are being made just now (busy); Retry-After says when to come again',
};

export const figureRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/stats',
    operationId: 'getResponseStats',
    summary: 'Get response statistics',
    description:
      'Counts responses by status that are neither deleted nor test; `total` equals `response_count` of the survey. Test ' +
      'responses are counted in `test`, and elsewhere only with `include_test=true`. Responses with a confirmed quality flag ' +
      'are included, and counted in `quality_confirmed`, unless `quality` is `exclude_confirmed`. A filter applies to all counts.',
    access: onSurvey('view'),
    params: z.strictObject({ surveyId: idParam }),
    query: surveyQuery.extend({
      filter: selectionQuery.filter,
      filters: selectionQuery.filters,
      include_test: selectionQuery.include_test.describe(
        'Include test responses in all counts. Default: false',
      ),
      quality: selectionQuery.quality.describe('Default: `include_all`'),
    }),
    reply: dataReply(
      z
        .strictObject({
          total: count,
          complete: count,
          partial: count,
          screened_out: count,
          test: count.describe('Test responses; the other numbers count them only with `include_test=true`'),
          quality_confirmed: count.describe(
            'Number of `total` with a confirmed quality flag; statistics exclude them by default',
          ),
          counted: inclusionCountsSchema,
        })
        .meta({ id: 'ResponseStats' }),
    ),
    handler: ({ services, scope, query }) =>
      services.figures.countResponses(
        scope,
        selectionOf(query, { status: RESPONSE_STATUSES, includeTest: false, includeConfirmed: true }),
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/distribution/:columnCode',
    operationId: 'getDistribution',
    summary: 'Get a frequency distribution',
    description:
      'Counts complete responses unless `status` is given. Percentages are 0 to 100.\n\n' +
      '- A multiple choice, given by its question code, has respondents as its base, including those who selected no option, so ' +
      'percentages can sum to more than 100. `Q2_<option_code>` is one option as 0/1.\n' +
      '- `stats` is null if the measure of the column is nominal (the default of choice questions); set ' +
      'question_settings.measure to ordinal or scale for means and quantiles.\n' +
      '- A matrix by its question code returns `rows`, each with a distribution and percentages within the row.\n' +
      '- A ranking by its question code returns `options` with mean rank, `top_1`, `top_3` and all ranks, as a percentage of ' +
      'respondents who saw the question (`base=answering`: of those who ranked the option).\n' +
      '- A question with a number for each option returns `options` by its question code, each with a distribution.',
    access: onSurvey('view'),
    params: z.strictObject({ surveyId: idParam, columnCode: columnText }),
    query: z.strictObject({
      ...selectionQuery,
      ...weightQuery,
      base: baseQuery,
    }),
    reply: dataReply(
      z.union([
        distributionSchema.extend({ counted: inclusionCountsSchema }).meta({ id: 'CountedDistribution' }),
        ...compositeDistributionSchemas.map((schema) =>
          schema.extend({ counted: inclusionCountsSchema }).meta({ id: `Counted${schema.meta()!.id!}` }),
        ),
      ]),
    ),
    replyExample: {
      column_code: 'Q8',
      label: 'In which region do you work?',
      type: 'categorical',
      measure: 'nominal',
      base: 51,
      weighted_base: null,
      effective_base: null,
      missing: { skipped: 0, not_shown: 0, not_applicable: 0, option_missing: 0, without_weight: 0 },
      categories: [
        {
          code: 1,
          value: 'north',
          label: 'North',
          missing: false,
          count: 17,
          percent: 33.333333,
          weighted_count: null,
          weighted_percent: null,
        },
        {
          code: 2,
          value: 'south',
          label: 'South',
          missing: false,
          count: 34,
          percent: 66.666667,
          weighted_count: null,
          weighted_percent: null,
        },
      ],
      distinct: 2,
      truncated: false,
      grouped_by: null,
      stats: null,
      counted: {
        responses: 51,
        test_responses_included: 0,
        test_responses_excluded: 20,
        quality_included: 0,
        quality_excluded: 0,
      },
    },
    errors: DISTRIBUTION_ERRORS,
    handler({ services, scope, params, query, request }) {
      const distributionRequest = {
        ...selectionOf(query, ['complete']),
        weightColumn: weightOf(query),
        base: query.base,
      };
      return services.figures.distributionOrWhole(
        scope,
        params.columnCode,
        distributionRequest,
        request.signal,
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/question/:questionId',
    operationId: 'getQuestionData',
    summary: 'Get the data of a question',
    description:
      'Returns the columns of the question with the distribution of each; a multiple choice is one distribution over ' +
      'respondents. `whole` combines the rows of a matrix or the options of a ranking or of numbers, as `distribution` does for the question ' +
      'code; null for other types.',
    access: onSurvey('view'),
    params: z.strictObject({ surveyId: idParam, questionId: idParam }),
    query: z.strictObject({ ...selectionQuery, ...weightQuery, base: baseQuery }),
    reply: dataReply(
      z
        .strictObject({
          question_id: z.int(),
          question_code: z.string(),
          question_type: z.enum(QUESTION_TYPES),
          question_text: z.string(),
          columns: z.array(columnSchema),
          distributions: z.array(distributionSchema),
          whole: z.union(compositeDistributionSchemas).nullable(),
          counted: inclusionCountsSchema,
        })
        .meta({ id: 'QuestionData' }),
    ),
    errors: DISTRIBUTION_ERRORS,
    async handler({ services, scope, params, query, request }) {
      const distributionRequest = {
        ...selectionOf(query, ['complete']),
        weightColumn: weightOf(query),
        base: query.base,
      };
      const { of, distributions, whole, counted } = await services.figures.questionDistributions(
        scope,
        params.questionId,
        distributionRequest,
        request.signal,
      );
      return {
        question_id: of.question.id,
        question_code: of.question.code,
        question_type: of.question.type,
        question_text: of.question.text,
        columns: of.columns.map(presentColumn),
        distributions,
        whole,
        counted,
      };
    },
  }),
];
