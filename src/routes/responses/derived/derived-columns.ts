import { z } from 'zod';
import { COLUMN_KINDS } from '../../../domain/transforms/registry.ts';
import { columnCode, labelText } from '../../../domain/transforms/transform.ts';
import { idParam } from '../../../http/paging.ts';
import { dataReply, emptyReply } from '../../../http/reply.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { derivedSchema, presentDerived } from './derived-reply.ts';
import { surveyQuery } from '../../in-workspace.ts';
import { changeInput, changeOf } from '../changes/change-input.ts';
import { filterBody, filterChangeOf } from '../../selection-query.ts';

const params = z.strictObject({ surveyId: idParam });
const oneColumn = params.extend({ columnCode });
const query = surveyQuery;

/** The fields that depend on the kind of the column. Their modules know the types. */
const kindFields: Record<never, z.ZodType> = Object.fromEntries(
  COLUMN_KINDS.flatMap(({ changes }) => Object.entries(changes.fields)),
);

const changesBody = z
  .strictObject({
    label: labelText.optional(),
    values: z
      .array(
        z.strictObject({
          value: z.string().min(1).max(255),
          label: labelText.optional(),
          missing: z.boolean().optional(),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Labels of the values, and which values are marked as missing'),
    ...kindFields,
    filter: filterBody.optional().describe('Responses to transform; null: all. `filters` is an alias'),
    filters: filterBody.optional(),
    ...changeInput,
  })
  .superRefine((body, context) => {
    for (const { changes } of COLUMN_KINDS) changes.check?.(body, context);
  });

export const derivedColumnRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/derived-columns',
    operationId: 'listDerivedColumns',
    summary: 'List derived columns',
    description:
      'Returns derived columns and weights in order of creation. They also appear in the grid and in all statistics.',
    access: onSurvey('view'),
    params,
    query,
    reply: dataReply(z.array(derivedSchema)),
    handler: async ({ services, scope }) => (await services.derivedColumns.list(scope)).map(presentDerived),
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'getDerivedColumn',
    summary: 'Get a derived column',
    description: 'Returns the definition of the column and its parameters.',
    access: onSurvey('view'),
    params: oneColumn,
    query,
    reply: dataReply(derivedSchema),
    handler: async ({ services, scope, params }) =>
      presentDerived(await services.derivedColumns.find(scope, params.columnCode)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'changeDerivedColumn',
    summary: 'Update a derived column',
    description:
      'Omitted fields keep their values. Each kind accepts the fields it was created with; a weight only its label. Values are ' +
      'recomputed. The change can be undone in the change log.',
    access: onSurvey('edit'),
    params: oneColumn,
    query,
    body: changesBody,
    example: {
      label: 'Age in three groups',
    },
    reply: dataReply(
      z
        .strictObject({ column: derivedSchema, change_id: z.int().nullable(), dry_run: z.boolean() })
        .meta({ id: 'ChangedColumn' }),
    ),
    errors: {
      409: 'Columns that depend on this one could no longer be computed',
      422: 'The column would depend on itself, the expression is invalid, or a column has the wrong type',
    },
    async handler({ services, scope, params, body }) {
      const { kept: updated, changeId } = await services.derivedColumns.update(
        scope,
        params.columnCode,
        {
          label: body.label,
          values: body.values,
          filter: filterChangeOf(body),
          fields: Object.fromEntries(Object.entries(body).filter(([name]) => name in kindFields)),
        },
        changeOf(body),
      );
      return { column: presentDerived(updated), change_id: changeId, dry_run: body.dry_run };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'deleteDerivedColumn',
    summary: 'Delete a derived column',
    description: 'Also deletes weights. The change can be undone in the change log.',
    access: onSurvey('edit'),
    params: oneColumn,
    query,
    reply: emptyReply,
    errors: { 409: 'Other columns depend on this one; see `details`' },
    handler: ({ services, scope, params }) => services.derivedColumns.remove(scope, params.columnCode),
  }),
];
