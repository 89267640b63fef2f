import { z } from 'zod';
import { resolveEnd } from '../../http/timestamp-schemas.ts';
import { idParam, pagingQuery, parseAscendingPage, toListPage } from '../../http/paging.ts';
import { data, empty, list } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { surveyQuery, readOnly } from '../in-workspace.ts';
import { linkSchema, linkStatus, linkType, presentLink } from '../link-reply.ts';
import { linkBatchRoute } from './link-batch.ts';
import { linkListRoute } from './link-list.ts';
import { linkFields, linkFilters, newLink, newLinkSchema } from './link-fields.ts';

const params = z.strictObject({ surveyId: idParam });
const linkParams = params.extend({ linkId: idParam });

export const linkRoutes = [
  linkListRoute,
  linkBatchRoute,
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links',
    operationId: 'listSurveyLinks',
    summary: 'List links of a survey',
    description: 'Returns the oldest link first.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({ ...linkFilters, ...pagingQuery }),
    reply: list(linkSchema),
    async handler({ services, scope, query, request }) {
      const { afterId: after, ...part } = parseAscendingPage(query);
      const { found, total } = await services.links.list(
        scope,
        {
          surveyId: scope.surveyId,
          type: query.link_type ?? null,
          status: query.link_status ?? null,
          text: query.search ?? null,
        },
        { order: 'oldest_first', after, ...part },
      );
      const now = services.links.now();
      return toListPage(
        found,
        { ...part, total },
        (link) => link.link_id,
        (link) => presentLink(link, link.survey_status, { scope, baseUrl: request.baseUrl, now }),
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/links',
    operationId: 'createSurveyLink',
    summary: 'Create a link',
    description:
      '`open`: for many respondents. `unique`: for one respondent. `panel`: for a panel that passes an `external_id` for each ' +
      'respondent. The link accepts responses while the survey is active.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: newLinkSchema,
    example: {
      link_type: 'open',
      link_name: 'Newsletter',
      link_quota: 500,
      expires_at: '2027-12-31T23:59:59Z',
      redirects: { complete: 'https://panel.example/complete' },
    },
    reply: data(linkSchema),
    status: 201,
    async handler({ services, scope, body, request }) {
      const { survey_status: status } = await services.surveys.get(scope);
      const link = await services.links.create(scope, newLink(body, await services.surveys.timeZone(scope)));
      return presentLink(link, status, { scope, baseUrl: request.baseUrl, now: services.links.now() });
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/links/:linkId',
    operationId: 'updateSurveyLink',
    summary: 'Update a link',
    description:
      'Omitted fields keep their values. null removes a quota, an expiry or a redirect; null for `redirects` removes all ' +
      'redirects. `link_status` pauses (`paused`) or resumes (`active`) the link; other statuses and read-only fields are ' +
      'ignored, so a link can be sent back as it was read. A quota below the number of complete responses makes the link full. ' +
      'Responses in progress when a quota is set are counted as reservations in it.',
    access: onSurvey('edit'),
    params: linkParams,
    query: surveyQuery,
    body: z.strictObject({
      ...linkFields,
      link_status: linkStatus.optional().describe('active or paused; other statuses are ignored'),
      link_type: linkType.optional().describe('Cannot be changed'),
      link_id: readOnly,
      survey_id: readOnly,
      link_token: readOnly,
      link_url: readOnly,
      response_count: readOnly,
      complete_count: readOnly,
      created_at: readOnly,
    }),
    example: {
      link_name: 'Newsletter, December',
      link_quota: 800,
    },
    reply: data(linkSchema),
    async handler({ services, scope, params: { linkId }, body, request }) {
      const status = body.link_status;
      const link = await services.links.update(scope, linkId, {
        type: body.link_type,
        name: body.link_name,
        quota: body.link_quota,
        state: status === 'active' || status === 'paused' ? status : undefined,
        expiresAt: resolveEnd(body.expires_at, await services.surveys.timeZone(scope)),
        redirects: body.redirects,
        waveId: body.wave_id,
      });
      const { survey_status: surveyStatus } = await services.surveys.get(scope);
      return presentLink(link, surveyStatus, { scope, baseUrl: request.baseUrl, now: services.links.now() });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/links/:linkId',
    operationId: 'deleteSurveyLink',
    summary: 'Delete a link',
    description:
      'New visitors get 410. Respondents who already started can finish within an hour. Collected responses remain.',
    access: onSurvey('edit'),
    params: linkParams,
    query: surveyQuery,
    reply: empty,
    handler: ({ services, scope, params: { linkId } }) => services.links.delete(scope, linkId),
  }),
];
