import { z } from 'zod';
import { type ChangedCell, cellText } from '../../domain/dataset/changed-cells.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { jsonObject } from '../../lib/json-value.ts';
import type { DataChangeRow } from '../../repositories/data-changes.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';

const MAX_REASON_CHARACTERS = 1_000;

/** Fields of every data change; `changeOf` reads them. */
export const changeInput = {
  reason: z
    .string()
    .trim()
    .max(MAX_REASON_CHARACTERS, `must have at most ${MAX_REASON_CHARACTERS} characters`)
    .optional()
    .describe('Reason for the change, stored in the change log'),
  dry_run: z.boolean().default(false).describe('Return the same reply without storing anything'),
};

export function changeOf(input: { reason?: string | undefined; dry_run: boolean }): {
  reason: string | null;
  dryRun: boolean;
} {
  return { reason: input.reason ?? null, dryRun: input.dry_run };
}

const changeSchema = z
  .strictObject({
    change_id: z.int(),
    operation: z.string(),
    user_id: z.int().nullable(),
    user_name: z.string().nullable(),
    reason: z.string().nullable(),
    column_codes: z.array(z.string()).describe('Empty: whole responses'),
    rows_changed: z.int(),
    cells_changed: z.int(),
    details: jsonObject,
    created_at: z.iso.datetime(),
    undone_at: z.iso.datetime().nullable(),
    undone_by: z.int().nullable(),
  })
  .meta({
    id: 'DataChange',
    examples: [
      {
        change_id: 17,
        operation: 'winsorize',
        user_id: 2,
        user_name: 'Ada Admin',
        reason: 'Implausible ages',
        column_codes: ['Q2'],
        rows_changed: 12,
        cells_changed: 12,
        details: { overwrite: true },
        created_at: '2026-10-06T08:05:00.000Z',
        undone_at: null,
        undone_by: null,
      },
    ],
  });

function present(row: DataChangeRow): z.input<typeof changeSchema> {
  return {
    change_id: row.change_id,
    operation: row.operation,
    user_id: row.user_id,
    user_name: row.user_name,
    reason: row.reason,
    column_codes: row.column_codes,
    rows_changed: row.rows_changed,
    cells_changed: row.cells_changed,
    details: row.details,
    created_at: row.created_at.toISOString(),
    undone_at: row.undone_at?.toISOString() ?? null,
    undone_by: row.undone_by,
  };
}

const cell = z.union([z.string(), z.number(), z.array(z.string())]).nullable();
const cellLabel = z.string().nullable().describe('The value with the labels of options; null: no value');

const changedRowSchema = z
  .strictObject({
    response_id: z.int(),
    cells: z.array(
      z.strictObject({
        column_code: z.string(),
        label: z.string(),
        before: cell,
        before_label: cellLabel,
        after: cell.optional(),
        after_label: cellLabel.optional(),
      }),
    ),
  })
  .meta({
    id: 'ChangedResponse',
    examples: [
      {
        response_id: 12,
        cells: [
          {
            column_code: 'Q1',
            label: 'What is your gender?',
            before: 'male',
            before_label: 'Male',
            after: 'female',
            after_label: 'Female',
          },
        ],
      },
    ],
  });

const DEFAULT_ROWS = 100;

function presentRow({
  responseId,
  cells,
}: {
  responseId: number;
  cells: readonly ChangedCell[];
}): z.input<typeof changedRowSchema> {
  return {
    response_id: responseId,
    cells: cells.map(({ spec, before, after }) => ({
      column_code: spec.columnCode,
      label: spec.label,
      before,
      before_label: cellText(spec, before),
      ...(after === undefined ? {} : { after, after_label: cellText(spec, after) }),
    })),
  };
}

const params = z.strictObject({ surveyId: idParam });

export const changeRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/changes',
    operationId: 'listDataChanges',
    summary: 'List data changes',
    description:
      'Returns every edit, transform, derived column, weight and review, newest first, with the user and the number of changed ' +
      'rows and cells.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({ ...pagingQuery }),
    reply: listReply(changeSchema),
    async handler({ services, scope, query }) {
      const part = parseIdPage(query);
      const { found, total } = await services.dataChanges.list(scope, part);
      return toListPage({ found, limit: part.limit, total, positionOf: (row) => row.change_id, present });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/changes/:changeId/rows',
    operationId: 'listChangedRows',
    summary: 'List the cells of a change',
    description:
      'Returns the responses that a change touched, by `response_id`, each with the cells before and after the change. A multiple choice is ' +
      'one cell with its chosen options. `after` is what the next change of the cell replaced, or the current value. If the change is ' +
      'undone, `before` has the restored values and `after` is absent. Erased responses are left out.',
    access: onSurvey('view'),
    params: params.extend({ changeId: idParam }),
    query: surveyQuery.extend({ ...pagingQuery }),
    reply: listReply(changedRowSchema),
    async handler({ services, scope, params: { changeId }, query }) {
      const part = parseIdPage(query, DEFAULT_ROWS);
      const { found, total } = await services.dataChanges.listRows(scope, changeId, part);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (row) => row.responseId,
        present: presentRow,
      });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/changes/:changeId/undo',
    operationId: 'undoDataChange',
    summary: 'Undo a data change',
    description:
      'Restores the values, responses and columns from before the change. Later changes have to be undone first; 409 lists them.',
    access: onSurvey('edit'),
    params: params.extend({ changeId: idParam }),
    query: surveyQuery,
    reply: dataReply(changeSchema),
    errors: {
      409:
        'The change was already undone, or later changes have to be undone first; or `column_erased`: it concerns a derived column that ' +
        'was deleted more than `DELETED_RETENTION_DAYS` ago (30 days by default) and is erased',
    },
    async handler({ services, scope, params: { changeId } }) {
      return present(await services.dataChanges.undo(scope, changeId));
    },
  }),
];
