import { z } from 'zod';
import type { InclusionCounts } from '../../domain/dataset/filter/select-rows.ts';
import type { CatalogColumn } from '../../domain/dataset/column-catalog.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { CORRELATION_METHODS } from '../../domain/statistics/relations/correlate-columns.ts';
import { fisherInterval } from '../../domain/statistics/relations/correlation.ts';
import { MISSING_HANDLING } from '../../domain/statistics/relations/pair-sums.ts';
import { RELIABILITY_MISSING } from '../../domain/statistics/relations/reliability.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { MAX_RELATED_COLUMNS } from '../../services/figures/relations.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import {
  countingBody,
  filterBody,
  inclusionCountsSchema,
  toSelection,
  weightOf,
} from '../selection-query.ts';
import { correlateResponsesReplyExample, computeReliabilityReplyExample } from './relations-examples.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();
const columnText = z.string().min(1).max(120);

const selectionBody = {
  columns: z
    .array(columnText)
    .min(1)
    .max(MAX_RELATED_COLUMNS)
    .describe(
      `Codes of 2 to ${MAX_RELATED_COLUMNS} ordinal or scale columns, or 0/1 columns; the code of a matrix stands for all its rows`,
    ),
  weight: columnText.optional().describe('A numeric column to weight by. `weight_column` is an alias'),
  weight_column: columnText.optional(),
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional(),
  ...countingBody,
};

const related = {
  weight_column: z.string().nullable(),
  counted: inclusionCountsSchema,
  without_weight: count.describe('Responses left out because they have no positive weight'),
};

const correlationsSchema = z
  .strictObject({
    ...related,
    method: z.enum(CORRELATION_METHODS),
    missing: z.enum(MISSING_HANDLING),
    columns: z.array(z.strictObject({ column_code: z.string(), label: z.string() })),
    pairs: z
      .array(
        z.strictObject({
          columns: z.tuple([z.string(), z.string()]),
          base: count.describe('Responses with both answers'),
          effective_base: figure.describe('(Σw)²/Σw² of these responses; null without a weight'),
          r: figure.describe('null: fewer than three responses, or a column whose answers are all the same'),
          p_value: figure.describe('Two-sided, without correction for the number of pairs'),
          ci_low: figure.describe("95 % interval by Fisher's z; null for `spearman`"),
          ci_high: figure,
        }),
      )
      .describe('Every column with every later one'),
  })
  .meta({ id: 'Correlations' });

const reliabilitySchema = z
  .strictObject({
    ...related,
    missing: z.enum(RELIABILITY_MISSING),
    alpha: figure.describe("Cronbach's alpha; null without variance"),
    standardized_alpha: figure.describe('Alpha of the standardized items'),
    average_correlation: figure.describe('Mean of the correlations between the items'),
    items: z.array(
      z.strictObject({
        column_code: z.string(),
        label: z.string(),
        reversed: z.boolean(),
        base: count.describe('Responses that count for the item'),
        mean: figure.describe('As answered, also if the item is reversed'),
        sd: figure,
        item_total: figure.describe('Correlation of the item with the sum of the other items'),
        alpha_if_deleted: figure.describe('Alpha of the other items; null with two items'),
      }),
    ),
    notes: z.array(z.strictObject({ code: z.enum(['negative_item']), message: z.string() })),
  })
  .meta({ id: 'Reliability' });

const presentRelated = (found: {
  weightColumn: string | null;
  counted: InclusionCounts;
  withoutWeight: number;
}) => ({
  weight_column: found.weightColumn,
  counted: found.counted,
  without_weight: found.withoutWeight,
});

const presentColumn = ({ spec: { columnCode, label } }: CatalogColumn) => ({
  column_code: columnCode,
  label,
});

const params = z.strictObject({ surveyId: idParam });
const errors = { 422: 'A column without a mean, a weight that is not numeric, or too many values for ranks' };

const correlationsRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/correlations',
  operationId: 'correlateResponses',
  summary: 'Compute correlations',
  description:
    "Pearson's correlations (R: `cor.test`) or Spearman's of their ranks between every two columns, with p values and 95 % intervals. With a weight, tests and " +
    'intervals use the effective base (Σw)²/Σw². `missing`: `pairwise` counts the responses with both answers of a pair, `listwise` those with an answer in every column.',
  access: onSurvey('view'),
  params,
  query: surveyQuery,
  body: z.strictObject({
    ...selectionBody,
    method: z.enum(CORRELATION_METHODS).default('pearson'),
    missing: z.enum(MISSING_HANDLING).default('pairwise'),
  }),
  example: { columns: ['Q5', 'Q9'], method: 'spearman' },
  reply: dataReply(correlationsSchema),
  replyExample: correlateResponsesReplyExample,
  idempotent: false,
  errors,
  async handler({ services, scope, body, request: { signal } }) {
    const { columns: codes, method, missing } = body;
    const found = await services.relations.correlate(
      scope,
      {
        ...toSelection(body, ['complete']),
        columns: codes,
        weightColumn: weightOf(body),
        method,
        missing,
      },
      signal,
    );
    const columns = found.columns.map(presentColumn);
    const codeOf = (index: number) => columns[index]?.column_code ?? '';
    return {
      ...presentRelated(found),
      method,
      missing,
      columns,
      pairs: found.pairs.map(({ first, second, base, correlation }) => {
        const interval = correlation === null || method === 'spearman' ? null : fisherInterval(correlation);
        return {
          columns: [codeOf(first), codeOf(second)] as [string, string],
          base,
          effective_base: found.weightColumn === null ? null : (correlation?.effectiveBase ?? null),
          r: correlation?.r ?? null,
          p_value: correlation?.pValue ?? null,
          ci_low: interval?.low ?? null,
          ci_high: interval?.high ?? null,
        };
      }),
    };
  },
});

const reliabilityRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/reliability',
  operationId: 'computeReliability',
  summary: "Compute Cronbach's alpha",
  description:
    "Cronbach's alpha of a scale of several items, with the correlation of each item with the others and alpha without it (R: `psych::alpha`). Name items that are " +
    'worded the other way round in `reversed`; a note names those that run against the others. `missing`: `pairwise` uses the covariances of all responses with both ' +
    'answers of a pair, `listwise` the responses with all answers, `median` counts a missing answer as the median of the item (R: `psych::scoreItems`).',
  access: onSurvey('view'),
  params,
  query: surveyQuery,
  body: z.strictObject({
    ...selectionBody,
    reversed: z.array(columnText).max(MAX_RELATED_COLUMNS).default([]).describe('Codes among the columns'),
    missing: z.enum(RELIABILITY_MISSING).default('pairwise'),
  }),
  example: { columns: ['Q5', 'Q9'], reversed: ['Q9'] },
  reply: dataReply(reliabilitySchema),
  replyExample: computeReliabilityReplyExample,
  idempotent: false,
  errors,
  async handler({ services, scope, body, request: { signal } }) {
    const { columns, reversed, missing } = body;
    const found = await services.relations.assessReliability(
      scope,
      {
        ...toSelection(body, ['complete']),
        columns,
        weightColumn: weightOf(body),
        reversed,
        missing,
      },
      signal,
    );
    const items = found.columns.map((column, index) => {
      const item = found.items[index];
      return {
        ...presentColumn(column),
        reversed: found.reversed.has(index),
        base: item?.base ?? 0,
        mean: item?.mean ?? null,
        sd: item?.sd ?? null,
        item_total: item?.itemTotal ?? null,
        alpha_if_deleted: item?.alphaIfDeleted ?? null,
      };
    });
    return {
      ...presentRelated(found),
      missing,
      alpha: found.alpha,
      standardized_alpha: found.standardizedAlpha,
      average_correlation: found.averageCorrelation,
      items,
      notes: items
        .filter(({ item_total: itemTotal }) => itemTotal !== null && itemTotal < 0)
        .map(({ column_code: code, reversed: isReversed }) => ({
          code: 'negative_item' as const,
          message: isReversed
            ? `${code} runs against the other items. Leave it out of \`reversed\`, or leave the item out.`
            : `${code} runs against the other items. If it is worded the other way round, name it in \`reversed\`.`,
        })),
    };
  },
});

export const relationRoutes = [correlationsRoute, reliabilityRoute];
