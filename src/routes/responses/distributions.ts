import { z } from 'zod';
import { COLUMN_TYPES, MEASURES } from '../../domain/columns/column-spec.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { QUESTION_TYPES } from '../../domain/questions/registry.ts';
import { BASES } from '../../domain/statistics/base.ts';
import { MAX_BINS } from '../../domain/statistics/histogram.ts';
import type { Summary } from '../../domain/statistics/moments.ts';
import { idParam, integerParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { inclusionCountsSchema, toSelection, selectionQuery, weightOf } from '../selection-query.ts';
import {
  conventionSchema,
  estimatesSchema,
  intervalQuery,
  intervalsOf,
  precisionFields,
} from '../interval-schemas.ts';
import { columnSchema, presentColumn } from './grid.ts';
import { getResponseStatsReplyExample, getDistributionReplyExample } from './distributions-examples.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();

const QUANTILES =
  'Unweighted: `quantile(x, p, type = 7)` of R. Weighted: `Hmisc::wtd.quantile(x, w, p, normwt = TRUE)`, which equals ' +
  'type 7 if all weights are equal';

function schemaName(schema: z.ZodType): string {
  const name = schema.meta()?.id;
  if (name === undefined) throw new Error('A schema of the API document has no name');
  return name;
}

const missingSchema = z
  .strictObject({
    skipped: count.describe('Responses without an answer to a question that was shown'),
    not_shown: count.describe(
      'Responses in which the question was not shown; for the text of an option, also those that did not choose the option',
    ),
    not_applicable: count.describe(
      'For a derived column: the source has a value, but the column does not, such as a number outside all bins. Included ' +
        'in the base `shown`',
    ),
    option_missing: count.describe('Responses with an option marked as missing'),
    no_answer: z
      .strictObject({ dont_know: count, refused: count, not_applicable: count })
      .describe(
        'Responses with a reason instead of an answer, by reason (`no_answers` of the question). Included in the base `shown`',
      ),
    without_weight: count.describe('Responses without a positive weight'),
  })
  .meta({ id: 'DistributionMissing' });

/** See domain/statistics/distribution.ts for the definition of each statistic. */
export const distributionSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    type: z.enum(COLUMN_TYPES),
    measure: z.enum(MEASURES).describe('Nominal columns other than 0/1 columns have no `stats`'),
    base: count.describe('Number of responses in the base of the percentages'),
    weighted_base: figure,
    effective_base: figure.describe('Effective base (Kish): (Σw)²/Σw²; null without a weight'),
    missing: missingSchema,
    categories: z.array(
      z
        .strictObject({
          code: z.int().nullable(),
          value: z.string(),
          number: figure.describe('What `stats` use; null for texts and periods'),
          label: z.string(),
          missing: z.boolean().describe('The option is marked as missing'),
          count,
          percent: figure.describe('Percentage of the base, 0 to 100'),
          weighted_count: figure,
          weighted_percent: figure,
          ...precisionFields,
        })
        .meta({ id: 'DistributionCategory' }),
    ),
    distinct: count.describe('Number of different values'),
    truncated: z.boolean().describe('Whether `categories` leaves out values because there are too many'),
    grouped_by: z
      .enum(['interval', 'hour', 'datetime', 'date', 'week', 'month', 'quarter', 'year', 'decade'])
      .nullable(),
    breaks: z
      .array(z.number())
      .nullable()
      .describe(
        'With `max_groups`: the bounds of the intervals of a number, one more than intervals. An interval contains its lower bound',
      ),
    stats: z
      .strictObject({
        mean: figure,
        median: figure.describe(QUANTILES),
        sd: figure.describe(
          'Sample standard deviation (n - 1); weighted like `survey::svyvar` of R: n/(n-1) · Σw(x-m)²/Σw',
        ),
        min: figure,
        max: figure,
        p25: figure.describe(QUANTILES),
        p75: figure.describe(QUANTILES),
        nps: figure.optional().describe('Net Promoter Score, -100 to 100; only for NPS questions'),
      } satisfies Record<keyof Summary, z.ZodType>)
      .meta({ id: 'DistributionStats' })
      .nullable()
      .describe(
        'Computed from the codes of ordinal and scale columns, and from 0/1 columns, whose mean is a share. null for ' +
          'nominal columns (see `measure`), dates, texts, files and multiple-response sets; set question_settings.measure of ' +
          'a choice to ordinal or scale to get statistics',
      ),
    estimates: estimatesSchema,
    convention: conventionSchema.optional().describe('With `intervals`: how they were computed'),
    notes: z
      .array(z.strictObject({ code: z.string(), message: z.string() }))
      .describe(
        '`numbers_are_values`: `stats` use the numbers of option values that differ from their codes; ' +
          '`options_sometimes_absent`: the base contains respondents whose survey version does not offer an option',
      ),
  })
  .meta({ id: 'Distribution' });

const share = {
  count,
  percent: figure.describe('Percentage of the base, 0 to 100'),
  weighted_count: figure,
  weighted_percent: figure,
};

const whole = {
  column_code: z.string().describe('Code of the question'),
  label: z.string(),
  answered: count.describe('Responses with an answer to at least one row or option, whatever the base'),
  missing: missingSchema.describe('Why other responses have no answer to any row or option'),
  base: count.describe('Responses in the base of at least one row or option'),
  weighted_base: figure,
  effective_base: figure.describe('Effective base (Kish): (Σw)²/Σw²; null without a weight'),
  base_of: z.enum(BASES),
};

const matrixDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('matrix'),
    rows: z.array(distributionSchema.extend({ row_code: z.string(), row_label: z.string() })),
  })
  .meta({ id: 'MatrixDistribution' });

const rankingDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('ranking'),
    options: z.array(
      z.strictObject({
        column_code: z.string(),
        code: z.int(),
        value: z.string(),
        label: z.string(),
        base: count.describe(
          'Base of the percentages: respondents who were shown the question, or who ranked the option',
        ),
        weighted_base: figure,
        ranked: z.strictObject(share).describe('Respondents who ranked the option'),
        mean_rank: figure.describe(
          'Mean rank among respondents who ranked the option, weighted if there is a weight; 1 is best',
        ),
        top_1: z.strictObject(share).describe('Respondents who ranked the option first'),
        top_3: z.strictObject(share).describe('Respondents who ranked the option among the first three'),
        ranks: z.array(z.strictObject({ rank: z.int().positive(), ...share })),
      }),
    ),
  })
  .meta({ id: 'RankingDistribution' });

const numbersDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('numbers'),
    options: z.array(
      distributionSchema.extend({ option_code: z.int(), option_value: z.string(), option_label: z.string() }),
    ),
  })
  .meta({ id: 'NumbersDistribution' });

/** A question as a whole. See domain/statistics/distribution.ts for the definition of each statistic. */
const compositeDistributionSchemas = [
  matrixDistributionSchema,
  rankingDistributionSchema,
  numbersDistributionSchema,
] as const;

const columnText = z.string().min(1).max(120);
const weightQuery = {
  weight: columnText.optional().describe('A numeric column to weight by. `weight_column` is an alias'),
  weight_column: columnText.optional().describe('Alias of `weight`'),
};
const baseQuery = z
  .enum(BASES)
  .optional()
  .describe(
    'Base of the percentages: respondents who answered (`answering`, the default; for a multiple choice also those who ' +
      'selected no option), who were shown the question (`shown`), or all selected responses (`all`). For a whole ' +
      'ranking, the default is `shown`, and `answering` means respondents who ranked the option',
  );

const maxGroupsQuery = integerParam(2, MAX_BINS)
  .optional()
  .describe(
    'Numbers and dates with more distinct values are grouped in at most this many groups, including empty ones: numbers in intervals ' +
      'of equal width with round bounds, dates in days, weeks, months, quarters, years or decades (as many as needed), times in hours. ' +
      'Default: values are listed, and grouped only above 1,000',
  );

const DISTRIBUTION_ERRORS = {
  422: 'The weight is not a numeric column, or the design of the survey does not fit the data (design_invalid)',
  503: 'Too many large figures are being computed (busy); see Retry-After',
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
    replyExample: getResponseStatsReplyExample,
    handler: ({ services, scope, query }) =>
      services.figures.countResponses(
        scope,
        toSelection(query, { status: RESPONSE_STATUSES, includeTest: false, includeConfirmed: true }),
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
      max_groups: maxGroupsQuery,
      ...intervalQuery,
    }),
    reply: dataReply(
      z.union([
        distributionSchema.extend({ counted: inclusionCountsSchema }).meta({ id: 'CountedDistribution' }),
        ...compositeDistributionSchemas.map((schema) =>
          schema.extend({ counted: inclusionCountsSchema }).meta({ id: `Counted${schemaName(schema)}` }),
        ),
      ]),
    ),
    replyExample: getDistributionReplyExample,
    errors: DISTRIBUTION_ERRORS,
    handler({ services, scope, params, query, request }) {
      const distributionRequest = {
        ...toSelection(query, ['complete']),
        weightColumn: weightOf(query),
        base: query.base,
        maxGroups: query.max_groups,
        intervals: intervalsOf(query),
      };
      return services.figures.distributionOrWhole({
        scope,
        code: params.columnCode,
        request: distributionRequest,
        signal: request.signal,
      });
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
      'code; null for other types. The columns of a side-by-side table are those of its cells; with `table_column`, those of the cells of one ' +
      'column, which `whole` combines.',
    access: onSurvey('view'),
    params: z.strictObject({ surveyId: idParam, questionId: idParam }),
    query: z.strictObject({
      ...selectionQuery,
      ...weightQuery,
      base: baseQuery,
      max_groups: maxGroupsQuery,
      ...intervalQuery,
      table_column: z
        .string()
        .max(12)
        .optional()
        .describe('`column_code` of a side-by-side table; for other questions it is refused'),
    }),
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
        ...toSelection(query, ['complete']),
        weightColumn: weightOf(query),
        base: query.base,
        maxGroups: query.max_groups,
        intervals: intervalsOf(query),
      };
      const { question, columns, distributions, whole, counted } =
        await services.figures.computeQuestionDistributions({
          scope,
          questionId: params.questionId,
          tableColumn: query.table_column,
          request: distributionRequest,
          signal: request.signal,
        });
      return {
        question_id: question.id,
        question_code: question.code,
        question_type: question.type,
        question_text: question.text,
        columns: columns.map(presentColumn),
        distributions,
        whole,
        counted,
      };
    },
  }),
];
