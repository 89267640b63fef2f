import { z } from 'zod';
import {
  respondentAttributes,
  respondentEmail,
  respondentExternalId,
  respondentLanguage,
  respondentName,
} from '../../domain/respondents/respondent-row.ts';
import { idNumber } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import type { RespondentChanges } from '../../services/field/respondents.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, readOnly, targetWorkspaceQuery } from '../in-workspace.ts';
import { onRespondent, respondentParams, respondentQuery } from './respondent-guards.ts';
import { presentRespondent, respondentSchema } from './respondent-reply.ts';

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

function optRoute(path: 'opt-out' | 'opt-in', operationId: string, summary: string, description: string) {
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
      'The responses remain and count as before; delete personal information in answers separately. The email address can be ' +
      'added again as a new respondent, who has not opted out.',
    access: onRespondent('edit'),
    params: respondentParams,
    query: respondentQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.respondents.erase(scope),
  }),
  optRoute(
    'opt-out',
    'optOutRespondent',
    'Opt a respondent out',
    'The respondent receives no further emails. Has no effect if they already opted out.',
  ),
  optRoute(
    'opt-in',
    'optInRespondent',
    'Opt a respondent in',
    'Removes the opt-out. Use this only if the respondent asked for it.',
  ),
];
