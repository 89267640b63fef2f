import { z } from 'zod';
import { ALL_RESPONSES } from '../../../domain/dataset/filter/select-rows.ts';
import { decodeCursor, encodeCursor, idParam, pagingQuery } from '../../../http/paging.ts';
import { rowsReply } from '../../../http/reply.ts';
import { invalidCursor } from '../../../lib/error-messages.ts';
import { requireColumn } from '../../../services/datasets/requested-columns.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { columnSchema, presentColumn } from './column-reply.ts';
import { rowSchema, rowTexts } from './row-reply.ts';
import { selectionOf, selectionQuery, SYNC_DESCRIPTION, syncQuery } from '../../selection-query.ts';

const MAX_COLUMNS = 2_000;

export const gridRoute = defineRoute({
  method: 'get',
  path: '/api/responses/:surveyId/grid',
  operationId: 'getGrid',
  summary: 'Get the data grid',
  description:
    'Streams all responses; `limit` and `cursor` page the result. All statuses, test responses and responses with confirmed ' +
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
    columns: z
      .string()
      .max(100_000)
      .optional()
      .describe('Column codes separated by commas. Default: all columns'),
    sort: z
      .string()
      .regex(
        /^-?[A-Za-z][A-Za-z0-9_]{0,119}$/,
        'must be a column code, with a leading - to sort in descending order',
      )
      .optional(),
    limit: pagingQuery.limit,
    cursor: pagingQuery.cursor,
  }),
  reply: rowsReply(
    z.object({ columns: z.array(columnSchema), rows: z.array(rowSchema) }).meta({ id: 'Grid' }),
  ),
  replyExample: {
    columns: [
      {
        column_code: 'Q1',
        label: 'What is your gender?',
        question_id: 1,
        type: 'categorical',
        measure: 'nominal',
        source: 'question',
        values: [
          { code: 1, value: 'female', label: 'Female', missing: false },
          { code: 2, value: 'male', label: 'Male', missing: false },
          { code: 3, value: 'non_binary', label: 'Non-binary', missing: false },
        ],
        editable: true,
        retired: false,
        precision: null,
      },
      {
        column_code: 'Q2',
        label: 'How old are you?',
        question_id: 2,
        type: 'number',
        measure: 'scale',
        source: 'question',
        values: [],
        editable: true,
        retired: false,
        precision: null,
      },
    ],
    rows: [
      {
        response_id: 1,
        submission_id: 'kiosk-0001',
        response_status: 'complete',
        status_reason: null,
        end_reason: null,
        started_at: '2026-11-22T17:54:30.103Z',
        completed_at: '2026-11-22T17:54:30.103Z',
        updated_at: '2026-11-22T17:54:30.562Z',
        duration_seconds: null,
        last_page_id: null,
        language: null,
        link_id: 1,
        wave_id: 1,
        respondent_id: null,
        external_id: null,
        survey_version: 1,
        is_test: false,
        edited: true,
        deleted: false,
        quality: null,
        comment_count: 1,
        values: { Q1: 'female', Q2: 35 },
      },
      {
        response_id: 2,
        submission_id: 'phone-0001',
        response_status: 'complete',
        status_reason: null,
        end_reason: null,
        started_at: '2026-10-05T09:12:00.000Z',
        completed_at: '2026-10-05T09:12:00.000Z',
        updated_at: '2026-11-22T17:54:30.408Z',
        duration_seconds: null,
        last_page_id: null,
        language: null,
        link_id: null,
        wave_id: null,
        respondent_id: null,
        external_id: null,
        survey_version: 1,
        is_test: false,
        edited: true,
        deleted: false,
        quality: null,
        comment_count: 0,
        values: { Q1: 'female', Q2: 52 },
      },
    ],
  },
  async handler({ services, scope, query }) {
    const place = query.cursor === undefined ? null : positionOfCursor(query.cursor);
    const window = await services.responseReader.resolveWindow(scope, {
      sinceMs: query.updated_since ?? null,
      untilMs: place?.untilMs ?? null,
    });
    const selected = await services.responseReader.readRows(scope, {
      ...selectionOf(query, ALL_RESPONSES),
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
      afterId: place?.responseId ?? null,
      limit: query.limit ?? null,
    });
    return {
      head: { columns: selected.columns.map(({ spec }) => presentColumn(spec)) },
      rows: rowTexts(selected, await services.responseComments.createCounter(scope)),
      meta: {
        limit: query.limit ?? selected.total,
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
