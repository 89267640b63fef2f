import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import {
  respondentAttributes,
  respondentEmail,
  respondentExternalId,
  respondentLanguage,
  respondentName,
} from '../../domain/import/respondent-row.ts';
import { memberOn } from '../../http/access.ts';
import {
  idNumber,
  idParam,
  pagingQuery,
  parsePage,
  parseSortedCursor,
  sortedPosition,
  sortParam,
  toListPage,
} from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import {
  isRespondentSortKey,
  RESPONDENT_SORT_FIELDS,
  type RespondentRow,
  type RespondentSearch,
} from '../../repositories/respondents.ts';
import type { RespondentChanges } from '../../services/field/respondents.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, readOnly, targetWorkspaceQuery } from '../guards.ts';

export const respondentParams = z.strictObject({ respondentId: idParam });

/** Query of operations on a respondent. */
export const respondentQuery = z.strictObject({
  workspace_id: idParam
    .optional()
    .describe('The workspace of the respondent. 404 if it is in another workspace'),
});

/** Access to the respondent in the path, by the permission on their workspace. */
export function onRespondent(need: AccessLevel) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: z.output<typeof respondentParams>;
      query: z.output<typeof respondentQuery>;
    }) =>
      context.services.access.respondent({
        caller: context.caller,
        respondentId: context.params.respondentId,
        need,
        workspaceId: context.query.workspace_id,
      }),
  );
}

export const respondentSchema = z
  .strictObject({
    respondent_id: z.int(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    external_id: z.string().nullable().describe('Your own identifier'),
    language: z.string().nullable(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    opted_out: z.boolean().describe('Receives no emails'),
    last_invited_at: z.iso.datetime().nullable(),
    completed_count: z.int().describe('Complete responses that are neither deleted nor test'),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'Respondent',
    examples: [
      {
        respondent_id: 7,
        email: 'lena@people.example',
        name: 'Lena Fischer',
        external_id: 'panel-1042',
        language: 'de',
        attributes: { region: 'south', employees: 120 },
        opted_out: false,
        last_invited_at: '2026-10-01T08:00:00.000Z',
        completed_count: 2,
        created_at: '2026-09-01T08:00:00.000Z',
      },
    ],
  });

export const presentRespondent = (row: RespondentRow) => ({
  respondent_id: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  external_id: row.external_id,
  language: row.language,
  attributes: row.attributes,
  opted_out: row.opted_out_at !== null,
  last_invited_at: row.last_invited_at?.toISOString() ?? null,
  completed_count: row.completed_count,
  created_at: row.created_at.toISOString(),
});

const TAKEN =
  '`email_taken`, `external_id_taken`: another respondent of the workspace has the value; email addresses are compared ignoring case';

const fields = {
  email: respondentEmail.nullish().describe('Unique in the workspace, ignoring case'),
  name: respondentName.nullish(),
  external_id: respondentExternalId.nullish().describe('Your own identifier; unique in the workspace'),
  language: respondentLanguage.nullish(),
  attributes: respondentAttributes.nullish(),
  opted_out: z.boolean().optional().describe('true: the respondent receives no emails'),
  respondent_id: readOnly,
  last_invited_at: readOnly,
  completed_count: readOnly,
  created_at: readOnly,
};
const createSchema = z.strictObject({ workspace_id: idNumber.optional(), ...fields });
const updateSchema = z.strictObject(fields);

const changesOf = (body: z.output<typeof updateSchema>): RespondentChanges => ({
  email: body.email,
  name: body.name,
  externalId: body.external_id,
  language: body.language,
  attributes: body.attributes,
  optedOut: body.opted_out,
});

function optRoute({
  path,
  operationId,
  summary,
  description,
}: {
  path: 'opt-out' | 'opt-in';
  operationId: string;
  summary: string;
  description: string;
}) {
  return defineRoute({
    method: 'post',
    path: `/api/surveys/respondents/:respondentId/${path}`,
    operationId,
    summary,
    description,
    access: onRespondent('edit'),
    params: respondentParams,
    query: respondentQuery,
    reply: dataReply(respondentSchema),
    handler: async ({ services, scope }) =>
      presentRespondent(await services.respondents.update(scope, { optedOut: path === 'opt-out' })),
  });
}

export const respondentRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/respondents/:respondentId',
    operationId: 'getRespondent',
    summary: 'Get a respondent',
    description: 'Returns the respondent with email address, attributes and number of complete responses.',
    access: onRespondent('view'),
    params: respondentParams,
    query: respondentQuery,
    reply: dataReply(respondentSchema),
    handler: async ({ services, scope }) => presentRespondent(await services.respondents.get(scope)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/respondents',
    operationId: 'createRespondent',
    summary: 'Create a respondent',
    description:
      'Requires `email`, `external_id` or both. Imports and invitations match respondents by these fields.',
    access: inWorkspace('edit'),
    query: targetWorkspaceQuery,
    body: createSchema,
    example: {
      email: 'lena@people.example',
      name: 'Lena',
      external_id: 'panel-1042',
      language: 'de',
      attributes: { region: 'south', employees: 120 },
    },
    reply: dataReply(respondentSchema),
    status: 201,
    errors: { 409: TAKEN },
    handler: async ({ services, scope, body }) =>
      presentRespondent(await services.respondents.create(scope, changesOf(body))),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/respondents/:respondentId',
    operationId: 'updateRespondent',
    summary: 'Update a respondent',
    description:
      'Omitted fields keep their values; null clears a field. `attributes` is replaced as a whole. The reply of the GET can be ' +
      'sent back.',
    access: onRespondent('edit'),
    params: respondentParams,
    query: respondentQuery,
    body: updateSchema,
    example: {
      name: 'Lena Fischer',
      attributes: { region: 'north', employees: 130 },
    },
    reply: dataReply(respondentSchema),
    errors: { 409: TAKEN },
    handler: async ({ services, scope, body }) =>
      presentRespondent(await services.respondents.update(scope, changesOf(body))),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/respondents/:respondentId',
    operationId: 'deleteRespondent',
    summary: 'Delete a respondent',
    description:
      'Permanently erases email address, name, `external_id`, language and attributes, and the `external_id` of the responses. ' +
      'The responses remain and count as before, unless `erase_responses=true` also erases those in surveys of the workspace, as ' +
      '`POST /api/responses/:surveyId/rows/:responseId/erase` does. The email address can be added again as a new respondent, ' +
      'who has not opted out.',
    access: onRespondent('edit'),
    params: respondentParams,
    query: respondentQuery.extend({
      erase_responses: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .describe('Also erase the responses. This cannot be undone')
        .meta({ override: { type: 'boolean' } }),
    }),
    reply: emptyReply,
    async handler({ services, scope, query }) {
      const erasesResponses = query.erase_responses ?? false;
      await services.responseErasure.removeFiles(
        await services.respondents.erase(scope, { erasesResponses }),
      );
    },
  }),
  optRoute({
    path: 'opt-out',
    operationId: 'optOutRespondent',
    summary: 'Opt a respondent out',
    description: 'The respondent receives no further emails. Has no effect if they already opted out.',
  }),
  optRoute({
    path: 'opt-in',
    operationId: 'optInRespondent',
    summary: 'Opt a respondent in',
    description: 'Removes the opt-out. Use this only if the respondent asked for it.',
  }),
];

const NEWEST_FIRST = { field: 'respondent_id', descending: true } as const;

const searchQuery = {
  workspace_id: idParam.optional().describe('Default: the current workspace'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name, email or external_id, ignoring case'),
  opted_out: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('true: only respondents who opted out; false: only the others')
    .meta({ override: { type: 'boolean' } }),
  attribute: z
    .string()
    .max(1_100)
    .regex(/^[^:]+:/, 'must be an attribute name, a colon and a value, such as segment:A')
    .transform((text) => {
      const colon = text.indexOf(':');
      return { name: text.slice(0, colon), value: text.slice(colon + 1) };
    })
    .optional()
    .describe(
      '`name:value`: only respondents whose attribute has exactly this value. `age:42` matches the number and the text',
    )
    .meta({ override: { type: 'string', pattern: '^[^:]+:' } }),
};

type SearchInput = {
  search?: string | undefined;
  opted_out?: boolean | undefined;
  attribute?: RespondentSearch['attribute'] | undefined;
};

const searchOf = (query: SearchInput): RespondentSearch => ({
  text: query.search ?? null,
  optedOut: query.opted_out ?? null,
  attribute: query.attribute ?? null,
});

export const respondentListRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/respondents',
    operationId: 'listRespondents',
    summary: 'List respondents',
    description:
      'Returns the newest respondent first unless `sort` is given. `meta.total` is the number of all matches.',
    access: inWorkspace('view'),
    query: z.strictObject({
      ...searchQuery,
      sort: sortParam(RESPONDENT_SORT_FIELDS).optional().describe('Default: -respondent_id'),
      ...pagingQuery,
    }),
    reply: listReply(respondentSchema),
    async handler({ services, scope, query }) {
      const sort = query.sort ?? NEWEST_FIRST;
      const { after, skip, limit } = parsePage(query, (cursor) =>
        parseSortedCursor(cursor, sort, isRespondentSortKey),
      );
      const { rows, total } = await services.respondents.list(scope, {
        search: searchOf(query),
        sort,
        // One extra row shows whether there is a next page.
        limit: limit + 1,
        offset: skip,
        after,
      });
      return toListPage({
        found: rows,
        limit,
        total,
        positionOf: (row) => sortedPosition(sort, row.sort_key, row.respondent_id),
        present: presentRespondent,
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/respondents/count',
    operationId: 'countRespondents',
    summary: 'Count respondents',
    description: 'Counts the respondents that match the filters.',
    access: inWorkspace('view'),
    query: z.strictObject(searchQuery),
    reply: dataReply(
      z.strictObject({ count: z.int() }).meta({ id: 'RespondentCount', examples: [{ count: 1250 }] }),
    ),
    handler: async ({ services, scope, query }) => ({
      count: await services.respondents.count(scope, searchOf(query)),
    }),
  }),
];
