import { z } from 'zod';
import { idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { list } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace } from '../in-workspace.ts';
import { linkSchema, presentLink } from '../link-reply.ts';
import { linkFilters } from './link-fields.ts';

export const linkListRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/links',
  operationId: 'listLinks',
  summary: 'List links of a workspace',
  description:
    'Returns the links of all surveys of the workspace, newest first. `meta.total` is the number of all matches.',
  access: inWorkspace('view'),
  query: z.strictObject({
    workspace_id: idParam.optional().describe('Default: the current workspace'),
    survey_id: idParam.optional().describe('Only links of this survey'),
    ...linkFilters,
    ...pagingQuery,
  }),
  reply: list(linkSchema),
  async handler({ services, scope, query, request }) {
    const { beforeId: after, ...part } = parseDescendingPage(query);
    const { found, total } = await services.links.list(
      scope,
      {
        surveyId: query.survey_id ?? null,
        type: query.link_type ?? null,
        status: query.link_status ?? null,
        text: query.search ?? null,
      },
      { order: 'newest_first', after, ...part },
    );
    const now = services.links.now();
    return toListPage(
      found,
      { ...part, total },
      (link) => link.link_id,
      (link) => presentLink(link, link.survey_status, { scope, baseUrl: request.baseUrl, now }),
    );
  },
});
