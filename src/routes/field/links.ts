import { z } from 'zod';
import { endInZone } from '../../http/moment-text.ts';
import { pageOfNewest } from '../../http/newest-first.ts';
import { oldestFirst } from '../../http/oldest-first.ts';
import { idText, pagingQuery } from '../../http/paging.ts';
import { data, empty, list } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery, readOnly } from '../in-workspace.ts';
import { linkSchema, linkStatus, linkType, presentLink } from '../link-reply.ts';
import { linkBatchRoute } from './link-batch.ts';
import { linkListRoute } from './link-list.ts';
import { linkFields, linkFilters, newLink, newLinkSchema } from './link-fields.ts';

const params = z.strictObject({ surveyId: idText });
const linkParams = params.extend({ linkId: idText });

export const linkRoutes = [
  linkListRoute,
  linkBatchRoute,
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links',
    operationId: 'listSurveyLinks',
    summary: 'List links of a survey',
    description: 'Oldest first.',
    access: onSurvey('view'),
    params,
    query: narrowedQuery.extend({ ...linkFilters, ...pagingQuery }),
    reply: list(linkSchema),
    async handler({ services, scope, query, request }) {
      const { afterId: after, ...part } = oldestFirst(query);
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
      return pageOfNewest(
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
      'open: for many. unique: for one person. panel: for a panel whose members bring an external_id. ' +
      'It takes responses while the survey is Active.',
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
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
    summary: 'Change a link',
    description:
      'Absent fields stay; null takes a quota, an end or a redirect away, and null for `redirects` all of them. `link_status` pauses a ' +
      'link and takes it up again; the statuses that follow from something else are ignored, as are fields that nobody sets, so a link ' +
      'may be sent back as it was shown. A quota below what is complete makes it full; whoever is on their way when a quota is set ' +
      'holds a place in it.',
    access: onSurvey('edit'),
    params: linkParams,
    query: narrowedQuery,
    body: z.strictObject({
      ...linkFields,
      link_status: linkStatus.optional().describe('active or paused; closed, full and expired are ignored'),
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
        expiresAt: endInZone(body.expires_at, await services.surveys.timeZone(scope)),
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
      'Whoever follows it then gets 410; who had begun may finish within an hour. Its responses stay.',
    access: onSurvey('edit'),
    params: linkParams,
    query: narrowedQuery,
    reply: empty,
    handler: ({ services, scope, params: { linkId } }) => services.links.delete(scope, linkId),
  }),
];
