import { z } from 'zod';
import { ALL_RESPONSES } from '../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import {
  FLAG_SOURCES,
  QUALITY_CHECKS,
  qualityStatus,
  type ResponseQuality,
  REVIEW_STATES,
  reviewState,
  type StoredFlag,
} from '../../domain/responses/quality-flag.ts';
import { qualitySettingsChangesSchema } from '../../domain/survey/quality-settings.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { mutuallyExclusive } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import {
  countingBody,
  filterBody,
  filterOf,
  inclusionCountsSchema,
  toSelection,
  selectionQuery,
} from '../selection-query.ts';
import { changeInput, changeOf } from './changes.ts';
import { checkQualityReplyExample } from './quality-examples.ts';

const measure = z.union([z.number(), z.string()]).nullable();

const flagSchema = z
  .strictObject({
    check: z.enum(FLAG_SOURCES).describe('`manual`: set by a user'),
    severity: z.enum(['low', 'medium', 'high']),
    metric: z.string(),
    value: measure,
    threshold: measure,
    column_codes: z.array(z.string()).describe('Affected columns; empty: the whole response'),
    measures: z
      .record(z.string(), z.number().nullable())
      .optional()
      .describe('Further measures of the check'),
    review: z.enum(REVIEW_STATES),
    reviewed_by: z.int().nullable().describe('A user_id'),
    reviewed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'QualityFlag' });

export const qualitySchema = z
  .strictObject({ flags: z.array(flagSchema), status: z.enum(REVIEW_STATES) })
  .describe(
    'Confirmed if one of the flags is confirmed, otherwise pending if one is pending, otherwise dismissed',
  );

function presentFlag(flag: StoredFlag): z.input<typeof flagSchema> {
  return {
    ...flag,
    review: reviewState(flag),
    reviewed_by: flag.reviewed_by ?? null,
    reviewed_at: flag.reviewed_at ?? null,
  };
}

/** null: no flags. */
export function presentQuality(quality: ResponseQuality | null): z.input<typeof qualitySchema> | null {
  const status = qualityStatus(quality);
  return quality === null || status === null ? null : { flags: quality.flags.map(presentFlag), status };
}

const MAX_LISTED = 10_000;
const MAX_RESPONSES = 10_000;

const count = z.int().nonnegative();
const stateCounts = z.strictObject({ pending: count, confirmed: count, dismissed: count });
const surveyParams = z.strictObject({ surveyId: idParam });
const statuses = z.array(z.enum(RESPONSE_STATUSES)).min(1).optional();
/** Checks and counts include responses with confirmed flags. */
const CHECKED_RESPONSES = { status: ['complete'], includeConfirmed: true } as const;
const checkName = z.enum(QUALITY_CHECKS);
const sourceName = z.enum(FLAG_SOURCES);

export const qualityRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/quality-check',
    operationId: 'checkQuality',
    summary: 'Check response quality',
    description:
      'Checks complete responses unless `status` is given, with the quality settings of the survey; settings in the body ' +
      'override them for this run. `checks` runs exactly those checks, even if they are disabled. Nothing is deleted or ' +
      'screened out (`action` applies to incoming responses only): findings are stored as pending flags. Running it again ' +
      'replaces the pending flags of the checks that ran; reviewed flags remain.\n\n' +
      '- **speeder** compares with the median duration of all complete responses, regardless of the filter, and with the time that ' +
      '`min_seconds_per_question` gives for each question shown (from five on).\n' +
      '- **straightliner**: a battery is a matrix with one answer per row, or a list of `column_codes`.\n' +
      '- **duplicate** compares the checked responses; the first by `response_id` gets no flag.\n' +
      '- **open_end** judges texts by their characters only, the same in every language.\n\n' +
      'Responses with confirmed flags are checked too; for test responses see `include_test`. `checked` of a check is the ' +
      'number of responses that it could evaluate. At most `limit` responses are listed; the counts include all.',
    access: onSurvey('edit'),
    params: surveyParams,
    query: surveyQuery,
    body: qualitySettingsChangesSchema.extend({
      filter: filterBody.optional(),
      filters: filterBody.optional(),
      status: statuses,
      include_test: countingBody.include_test,
      checks: z.array(checkName).min(1).max(QUALITY_CHECKS.length).optional(),
      dry_run: z.boolean().default(false),
      limit: z
        .int()
        .min(0)
        .max(MAX_LISTED)
        .default(1_000)
        .describe('Maximum number of flagged responses in the reply'),
    }),
    example: {
      checks: ['speeder', 'straightliner', 'open_end'],
      dry_run: true,
    },
    reply: dataReply(
      z
        .strictObject({
          change_id: z.int().nullable().describe('For undo; null: nothing changed'),
          checked: count,
          flagged: count.describe('Responses flagged by this run'),
          updated: count.describe('Responses whose stored flags changed'),
          summary: z.array(
            z.strictObject({
              check: checkName,
              checked: count.describe('Responses that the check could evaluate'),
              flagged: count,
              share: z.number().nullable().describe('flagged / checked, 0 to 1'),
              thresholds: z.record(z.string(), z.number().nullable()),
              metrics: z.array(
                z.strictObject({ metric: z.string(), column_codes: z.array(z.string()), flagged: count }),
              ),
            }),
          ),
          responses: z.array(z.strictObject({ response_id: z.int(), flags: z.array(flagSchema) })),
          responses_truncated: z.boolean().describe('Whether more responses were flagged than listed'),
          counted: inclusionCountsSchema,
        })
        .meta({ id: 'QualityReport' }),
    ),
    replyExample: checkQualityReplyExample,
    errors: { 422: 'A battery or open end uses a column of the wrong type' },
    async handler({ services, scope, body }) {
      const { filter, filters, status, include_test, checks, dry_run: dryRun, limit, ...settings } = body;
      const report = await services.qualityChecks.run(scope, {
        ...toSelection({ filter, filters, status, include_test }, CHECKED_RESPONSES),
        settings,
        checks: checks === undefined ? null : QUALITY_CHECKS.filter((check) => checks.includes(check)),
        dryRun,
        limit,
      });
      return {
        change_id: report.changeId,
        checked: report.checked,
        flagged: report.flagged,
        updated: report.updated,
        summary: report.summary,
        responses: report.responses.map(({ responseId, flags }) => {
          return { response_id: responseId, flags: flags.map(presentFlag) };
        }),
        responses_truncated: report.flagged > report.responses.length,
        counted: report.counted,
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/quality',
    operationId: 'getQuality',
    summary: 'Get the quality summary',
    description:
      'Counts the stored flags of complete responses unless `status` is given. A response is confirmed if one of its flags is, ' +
      'otherwise pending if one is, otherwise dismissed. The columns `quality_status` and `quality_flags` have the same ' +
      'information per response in grid, filters and exports.',
    access: onSurvey('view'),
    params: surveyParams,
    query: z.strictObject({
      ...selectionQuery,
      quality: selectionQuery.quality.describe('Default: `include_all`'),
    }),
    reply: dataReply(
      z
        .strictObject({
          responses: count.describe('Selected responses, flagged or not'),
          counted: inclusionCountsSchema,
          flagged: count,
          ...stateCounts.shape,
          checks: z.array(
            z.strictObject({
              check: sourceName,
              responses: count.describe('Responses with a flag of this check'),
              ...stateCounts.shape,
            }),
          ),
        })
        .meta({
          id: 'QualityCounts',
          examples: [
            {
              responses: 412,
              counted: {
                responses: 409,
                test_responses_included: 0,
                test_responses_excluded: 40,
                quality_included: 0,
                quality_excluded: 3,
              },
              flagged: 9,
              pending: 4,
              confirmed: 3,
              dismissed: 2,
              checks: [{ check: 'speeder', responses: 9, pending: 4, confirmed: 3, dismissed: 2 }],
            },
          ],
          description: 'States in `checks` count flags; the other states count responses',
        }),
    ),
    async handler({ services, scope, query }) {
      const { responses, counts, counted } = await services.qualityReviews.countReviews(
        scope,
        toSelection(query, CHECKED_RESPONSES),
      );
      return {
        responses,
        counted,
        flagged: counts.flagged,
        ...counts.responses,
        checks: [...counts.checks].map(([check, { responses: flagged, flags }]) => {
          return { check, responses: flagged, ...flags };
        }),
      };
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/responses/:surveyId/quality-flags',
    operationId: 'reviewQualityFlags',
    summary: 'Review quality flags',
    description:
      'Sets the review state of flags, of one check or of all, for the responses in `response_ids` or those that `filter` ' +
      'selects (`{}`: all; every status unless `status` is given). `pending` resets a review. Repeating a review keeps the ' +
      'first reviewer. The responses themselves do not change; use `quality_status` to filter them.',
    access: onSurvey('edit'),
    params: surveyParams,
    query: surveyQuery,
    body: z.strictObject({
      response_ids: z.array(z.int().positive()).min(1).max(MAX_RESPONSES).optional(),
      filter: filterBody.optional(),
      filters: filterBody.optional(),
      status: statuses,
      check: sourceName.optional(),
      review: z.enum(REVIEW_STATES),
      ...changeInput,
    }),
    example: {
      filter: 'Q2 < 18',
      review: 'confirmed',
      reason: 'Under age',
    },
    reply: dataReply(
      z
        .strictObject({
          change_id: z.int().nullable(),
          processed: count.describe('Selected responses'),
          updated: count,
          unchanged: count.describe('Responses without such a flag, or already in this state'),
        })
        .meta({ id: 'QualityReview', examples: [{ change_id: 19, processed: 3, updated: 2, unchanged: 1 }] }),
    ),
    async handler({ services, scope, body }) {
      const outcome = await services.qualityReviews.review(scope, {
        which: responseSelectionOf(body),
        check: body.check ?? null,
        review: body.review,
        ...changeOf(body),
      });
      const { changeId, processed, updated, unchanged } = outcome;
      return { change_id: changeId, processed, updated, unchanged };
    },
  }),
];

function responseSelectionOf(body: {
  response_ids?: number[] | undefined;
  filter?: unknown;
  filters?: unknown;
  status?: (typeof RESPONSE_STATUSES)[number][] | undefined;
}) {
  const { response_ids: responseIds } = body;
  const filter = filterOf(body);
  const byFilter = filter !== undefined || body.status !== undefined;
  if (responseIds !== undefined && byFilter) {
    throw mutuallyExclusive('response_ids', 'filter or status');
  }
  if (responseIds !== undefined) return { responseIds };
  if (!byFilter)
    throw invalid('response_ids', 'is required unless filter is given ({} selects every response)');
  return toSelection(body, ALL_RESPONSES);
}
