import { z } from 'zod';
import { admin } from '../../http/access.ts';
import { startTimestamp, endTimestamp } from '../../http/timestamp-schemas.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import type { AuditRow } from '../../repositories/audit.ts';
import { MOVABLE_TYPES } from '../../repositories/workspaces.ts';
import { defineRoute } from '../define-route.ts';
import { jsonObject } from '../../lib/json-value.ts';

const entrySchema = z
  .strictObject({
    audit_id: z.int(),
    happened_at: z.iso.datetime(),
    user_id: z
      .int()
      .nullable()
      .describe('null: the server, its command line, or a caller who is not signed in'),
    user_name: z.string().nullable(),
    action: z.string().describe('Such as `survey.published`'),
    object_type: z.string(),
    object_id: z.string().nullable(),
    details: jsonObject.nullable().describe('Changed field names and counts, without contents'),
    credential: z.enum(['session', 'api_key']).nullable(),
    address: z.string().nullable(),
    request_id: z.string().nullable().describe('Request id, as in the reply and the server log'),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        audit_id: 101,
        happened_at: '2026-10-06T08:05:00.000Z',
        user_id: 1,
        user_name: 'Ada Admin',
        action: 'survey.published',
        object_type: 'survey',
        object_id: '1',
        details: { version: 3 },
        credential: 'session',
        address: '203.0.113.7',
        request_id: '5a1772ae-dfb4-482f-b5a2-3662d86c8f6d',
      },
    ],
  });

const present = (row: AuditRow): z.input<typeof entrySchema> => ({
  audit_id: row.audit_id,
  happened_at: row.happened_at.toISOString(),
  user_id: row.user_id,
  user_name: row.user_name,
  action: row.action,
  object_type: row.object_type,
  object_id: row.object_id,
  details: row.details,
  credential: row.credential,
  address: row.address,
  request_id: row.request_id,
});

export const auditLogRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/audit',
    operationId: 'listAuditEntries',
    summary: 'List audit log entries',
    description:
      'Returns the newest entry first. Entries are written in the transaction of the change and never changed or deleted. They ' +
      'contain no request bodies, answers or secrets. A date without a time in `to` includes that day.',
    access: admin,
    query: z.strictObject({
      user_id: idParam.optional().describe('Only actions of this user'),
      action: z
        .string()
        .max(100)
        .regex(
          /^[a-z_]+(\.[a-z_]+)?$/,
          'must be an action such as survey.published, or all of one kind such as survey',
        )
        .optional()
        .describe(
          'Only this action, such as `survey.published`, or all actions of one kind, such as `survey`',
        ),
      object_type: z.string().max(100).optional().describe('Only entries about this type, such as `survey`'),
      object_id: z.string().max(100).optional().describe('Only entries about this object'),
      from: startTimestamp.optional().describe('Inclusive start'),
      to: endTimestamp.optional().describe('Exclusive end; a date includes the whole day'),
      ...pagingQuery,
    }),
    reply: listReply(entrySchema),
    async handler({ services, caller, query }) {
      const part = parseIdPage(query);
      const { found, total } = await services.auditLog.find(
        caller,
        {
          userId: query.user_id ?? null,
          action: query.action ?? null,
          objectType: query.object_type ?? null,
          objectId: query.object_id ?? null,
          from: query.from ?? null,
          until: query.to ?? null,
        },
        part,
      );
      return toListPage({ found, limit: part.limit, total, positionOf: (row) => row.audit_id, present });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/audit/:auditId/undo-move',
    operationId: 'undoMove',
    summary: 'Undo a move',
    description:
      'Returns a survey, dashboard or report to its previous workspace, given an audit entry `survey.moved`, `dashboard.moved` ' +
      'or `report.moved`. Works even if the admin can view neither workspace, and returns no data of the object. The return is ' +
      'recorded as a move.',
    access: admin,
    params: z.strictObject({ auditId: idParam }),
    reply: dataReply(
      z
        .strictObject({
          object_type: z.enum(MOVABLE_TYPES),
          object_id: z.int(),
          workspace_id: z.int().describe('The workspace of the object after the undo'),
        })
        .meta({ id: 'MovedObject' }),
    ),
    errors: {
      409:
        '`moved_since`: the object was moved again or deleted; `workspace_deleted`, `workspace_private`: the previous workspace ' +
        'is deleted or private',
      422: '`not_a_move`: the entry does not record a move',
    },
    async handler({ services, caller, params }) {
      const { objectType, objectId, toWorkspaceId } = await services.moves.undo(caller, params.auditId);
      return { object_type: objectType, object_id: objectId, workspace_id: toWorkspaceId };
    },
  }),
];
