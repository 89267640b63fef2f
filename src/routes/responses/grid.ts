import { z } from 'zod';
import { type CatalogColumn, listQuestionCodes } from '../../domain/dataset/column-catalog.ts';
import { type Cell, COLUMN_TYPES, type ColumnSpec, MEASURES } from '../../domain/columns/column-spec.ts';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import { ALL_RESPONSES } from '../../domain/dataset/filter/select-rows.ts';
import { NO_ANSWER_REASONS, noAnswerLabel } from '../../domain/columns/no-answer.ts';
import { createReasonReaders, createRowReader } from '../../domain/dataset/read-cells.ts';
import { RESPONSE_STATUSES, type ResponseRow } from '../../domain/responses/response-row.ts';
import { decodeCursor, encodeCursor, idParam, MAX_LIMIT, pagingQuery } from '../../http/paging.ts';
import { rowsReply } from '../../http/reply.ts';
import { invalidCursor, mutuallyExclusive } from '../../lib/error-messages.ts';
import { METADATA_CODES } from '../../domain/survey/question-codes.ts';
import { requireColumn } from '../../services/datasets/requested-columns.ts';
import type { SelectedRows } from '../../services/datasets/response-reader.ts';
import type { CommentCounter } from '../../services/responses/response-comments.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey } from '../guards.ts';
import { flagText, toSelection, selectionQuery, SYNC_DESCRIPTION, syncQuery } from '../selection-query.ts';
import { presentQuality, qualitySchema } from './quality.ts';
import { getGridReplyExample } from './grid-examples.ts';

/** A column in a reply. */
export const columnSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    question_id: z.int().nullable(),
    type: z.enum(COLUMN_TYPES),
    measure: z.enum(MEASURES).describe('Means and quantiles require ordinal or scale'),
    source: z.enum(['question', 'metadata', 'derived', 'weight']),
    values: z.array(
      z.strictObject({
        code: z.int().describe('option_code'),
        value: z.string(),
        number: z
          .number()
          .describe('What means, boxes, expressions and statistics files use: the value if it is a number'),
        label: z.string(),
        missing: z.boolean(),
      }),
    ),
    no_answers: z
      .array(z.strictObject({ reason: z.enum(NO_ANSWER_REASONS), code: z.int(), label: z.string() }))
      .optional()
      .describe('The reasons that respondents can give instead of an answer. Absent: none'),
    editable: z.boolean(),
    retired: z.boolean(),
    precision: z.enum(['date', 'datetime', 'time', 'month', 'year']).nullable(),
  })
  .meta({ id: 'Column' });

export function presentColumn(spec: ColumnSpec): z.input<typeof columnSchema> {
  return {
    column_code: spec.columnCode,
    label: spec.label,
    question_id: spec.questionId,
    type: spec.type,
    measure: spec.measure,
    source: spec.source,
    values: spec.values.map(({ code, value, number, label, missing }) => ({
      code,
      value,
      number,
      label,
      missing,
    })),
    ...(spec.noAnswers !== undefined && {
      no_answers: spec.noAnswers.map((choice) => ({
        reason: choice.reason,
        code: choice.code,
        label: noAnswerLabel(choice),
      })),
    }),
    editable: spec.editable,
    retired: spec.retired,
    precision: spec.precision,
  };
}

const moment = z.iso.datetime();

/** A response in a reply. */
export const rowSchema = z
  .strictObject({
    response_id: z.int(),
    submission_id: z.string().nullable(),
    response_status: z.enum(RESPONSE_STATUSES),
    status_reason: z.string().nullable(),
    end_reason: z
      .string()
      .nullable()
      .describe('The `reason` of the skip rule that ended the response; respondents never see it'),
    started_at: moment,
    completed_at: moment.nullable(),
    updated_at: moment,
    duration_seconds: z.number().nullable(),
    last_page_id: z.int().nullable(),
    language: z.string().nullable(),
    link_id: z.int().nullable(),
    wave_id: z.int().nullable(),
    respondent_id: z.int().nullable(),
    external_id: z.string().nullable(),
    survey_version: z.int(),
    is_test: z.boolean(),
    edited: z.boolean(),
    deleted: z.boolean().describe('true only with include_deleted; the values are then null'),
    quality: qualitySchema.nullable().describe('Quality flags and their review'),
    comment_count: z.int(),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), z.null()]))
      .describe(
        'By column code, except the columns that are fields of the row; null: missing. A multiple choice with no option selected has 0 in all columns, and `[]` as a set',
      ),
    no_answers: z
      .record(z.string(), z.enum(NO_ANSWER_REASONS))
      .optional()
      .describe(
        'By column code: the reason that the respondent gave instead of an answer; the value is null. Absent: none',
      ),
    not_shown: z
      .array(z.string())
      .optional()
      .describe('Only with `include_not_shown`: codes of questions that the respondent was not shown'),
  })
  .meta({ id: 'ResponseRow' });

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Returns a function that presents rows with the values of these columns. */
export function rowPresenter(
  columns: readonly CatalogColumn[],
  dataset: Dataset,
  { includesNotShown = false }: { includesNotShown?: boolean } = {},
): (row: ResponseRow, commentCount: number) => z.input<typeof rowSchema> {
  const shown = columns.filter(({ spec }) => !METADATA_CODES.includes(spec.columnCode));
  const codes = shown.map(({ spec }) => spec.columnCode);
  const readRow = createRowReader(shown, dataset);
  const cells = new Array<Cell>(shown.length).fill(null);
  const reasons = createReasonReaders(shown);
  const questionCodes = includesNotShown ? listQuestionCodes(columns) : [];
  return (row, commentCount) => {
    readRow(row, cells);
    const values: Record<string, Cell> = {};
    codes.forEach((code, position) => (values[code] = cells[position] ?? null));
    const given = codes.flatMap((code, position) => {
      const choice = reasons[position]?.(row) ?? null;
      return choice === null ? [] : [[code, choice.reason] as const];
    });
    return {
      response_id: row.responseId,
      submission_id: row.submissionId,
      response_status: row.status,
      status_reason: row.statusReason,
      end_reason: row.endReason,
      started_at: iso(row.startedAtMs),
      completed_at: row.completedAtMs === null ? null : iso(row.completedAtMs),
      updated_at: iso(row.updatedAtMs),
      duration_seconds: row.durationSeconds,
      last_page_id: row.lastPageId,
      language: row.language,
      link_id: row.linkId,
      wave_id: row.waveId,
      respondent_id: row.respondentId,
      external_id: row.externalId,
      survey_version: row.surveyVersion,
      is_test: row.isTest,
      edited: row.isEdited,
      deleted: row.isDeleted,
      quality: presentQuality(row.quality),
      comment_count: commentCount,
      values,
      ...(given.length > 0 && { no_answers: Object.fromEntries(given) }),
      ...(includesNotShown && {
        not_shown: questionCodes.filter((code) => !Object.hasOwn(row.answers, code)),
      }),
    };
  };
}

/** The rows of each chunk as JSON, comma-separated. */
async function* rowTexts(
  { columns, chunks }: SelectedRows,
  countComments: CommentCounter,
  options: { includesNotShown: boolean },
): AsyncGenerator<string> {
  let present: ReturnType<typeof rowPresenter> | null = null;
  for await (const { rows, dataset } of chunks) {
    present ??= rowPresenter(columns, dataset, options);
    const presented = present;
    const counts = await countComments(rows.map((row) => row.responseId));
    yield rows.map((row) => JSON.stringify(presented(row, counts.get(row.responseId) ?? 0))).join(',');
  }
}

const MAX_COLUMNS = 2_000;

export const gridRoute = defineRoute({
  method: 'get',
  path: '/api/responses/:surveyId/grid',
  operationId: 'getGrid',
  summary: 'Get the data grid',
  description:
    'Streams all responses; `limit` with `cursor` or `page` pages the result. All statuses, test responses and responses with confirmed ' +
    'quality flags are included unless `status`, `include_test` and `quality` exclude them; `meta.counted` has the counts. ' +
    'Without `sort`, rows are in order of `response_id`. Missing values are sorted last in both directions.\n\n' +
    `**Synchronization**: ${SYNC_DESCRIPTION}`,
  access: onSurvey('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: z.strictObject({
    ...selectionQuery,
    include_test: selectionQuery.include_test.describe('Include test responses. Default: true'),
    quality: selectionQuery.quality.describe('Default: `include_all`'),
    ...syncQuery,
    include_not_shown: flagText
      .optional()
      .describe('Adds `not_shown` to each row, which tells skipped questions from those not shown'),
    columns: z
      .string()
      .max(100_000)
      .optional()
      .describe('Column codes separated by commas. Default: all columns'),
    sort: z
      .string()
      .regex(
        /^-?[A-Za-z][A-Za-z0-9_.[\]-]{0,119}$/,
        'must be a column code, with a leading - to sort in descending order',
      )
      .optional()
      .describe('Column to sort by; `-` before it sorts in descending order'),
    limit: pagingQuery.limit,
    cursor: pagingQuery.cursor,
    page: pagingQuery.page,
  }),
  reply: rowsReply(
    z.object({ columns: z.array(columnSchema), rows: z.array(rowSchema) }).meta({ id: 'Grid' }),
  ),
  replyExample: getGridReplyExample,
  async handler({ services, scope, query }) {
    if (query.cursor !== undefined && query.page !== undefined) throw mutuallyExclusive('page', 'cursor');
    const place = query.cursor === undefined ? null : positionOfCursor(query.cursor);
    // Without `limit`, all responses are one page, unless a later page is requested.
    const limit = query.limit ?? (query.page === undefined ? null : MAX_LIMIT);
    const window = await services.responseReader.resolveWindow(scope, {
      sinceMs: query.updated_since ?? null,
      untilMs: place?.untilMs ?? null,
    });
    const selected = await services.responseReader.readRows(scope, {
      ...toSelection(query, ALL_RESPONSES),
      window,
      includeDeleted: query.include_deleted ?? false,
      columns: (catalog) =>
        query.columns === undefined
          ? catalog.columns
          : query.columns
              .split(',', MAX_COLUMNS)
              .map((code) => requireColumn(catalog, code.trim(), 'columns')),
      sort:
        query.sort === undefined
          ? null
          : { column: query.sort.replace(/^-/, ''), descending: query.sort.startsWith('-') },
      start:
        place === null ? { position: ((query.page ?? 1) - 1) * (limit ?? 0) } : { afterId: place.responseId },
      limit,
    });
    return {
      head: { columns: selected.columns.map(({ spec }) => presentColumn(spec)) },
      rows: rowTexts(selected, await services.responseComments.createCounter(scope), {
        includesNotShown: query.include_not_shown ?? false,
      }),
      meta: {
        limit: limit ?? selected.total,
        next_cursor:
          selected.nextAfterId === null ? null : encodeCursor(`${selected.nextAfterId} ${window.untilMs}`),
        total: selected.total,
        counted: selected.counted,
        updated_until: new Date(window.untilMs).toISOString(),
      },
    };
  },
});

/** The last row of a page, and the end of the time window that all pages share. */
function positionOfCursor(cursor: string): { responseId: number; untilMs: number } {
  const [, responseId, untilMs] = /^(\d{1,15}) (\d{1,14})$/.exec(decodeCursor(cursor)) ?? [];
  if (responseId === undefined) throw invalidCursor();
  return { responseId: Number(responseId), untilMs: Number(untilMs) };
}
