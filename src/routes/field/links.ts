import { z } from 'zod';
import {
  idNumber,
  idParam,
  pagingQuery,
  parseAscendingPage,
  parseDescendingPage,
  toListPage,
} from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { resolveEnd } from '../../http/timestamp-schemas.ts';
import { mutuallyExclusive, notAllowedWith, required } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import type { NewLink } from '../../repositories/links.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, onSurvey, onSurveyInBody, readOnly, surveyQuery } from '../guards.ts';
import { linkSchema, linkStatus, linkType, presentLink } from '../link-reply.ts';
import { linkFields, linkFilters, newLink, newLinkSchema } from './link-fields.ts';

const MAX_LINKS = 10_000;
const MAX_BODY_BYTES = 10_000_000;

const batchSchema = z.strictObject({
  action: z.enum(['create', 'pause', 'activate', 'delete'], {
    error: 'must be create, pause, activate or delete',
  }),
  survey_id: idNumber,
  link_ids: z
    .array(idNumber)
    .min(1)
    .max(MAX_LINKS)
    .optional()
    .describe('Required by pause, activate and delete'),
  links: z.array(newLinkSchema).min(1).max(MAX_LINKS).optional().describe('create: one object per link'),
  count: z
    .int()
    .min(1)
    .max(MAX_LINKS)
    .optional()
    .describe('create: this many identical links with the fields below'),
  link_type: linkType.optional().describe('With count. Default: unique'),
  ...linkFields,
});

const linkBatchRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/links/batch',
  operationId: 'changeLinks',
  summary: 'Create or update several links',
  description:
    `Changes up to ${MAX_LINKS} links, all or none. \`create\` requires \`links\` or \`count\` and returns the new links in order ` +
    '(201). The other actions require `link_ids`, all of the same survey. 404: the survey does not exist.',
  access: onSurveyInBody('edit'),
  query: surveyQuery,
  body: batchSchema,
  example: {
    action: 'create',
    survey_id: 1,
    count: 3,
    link_type: 'unique',
    link_name: 'Panel invitations',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(
    z
      .strictObject({
        action: batchSchema.shape.action,
        count: z.int().describe('Number of links created or changed'),
        links: z.array(linkSchema).optional().describe('create: the links'),
      })
      .meta({ id: 'LinkBatch' }),
  ),
  status: 201,
  alternateStatuses: { 200: 'Links were updated or deleted' },
  async handler({ services, scope, body, request }) {
    const { action } = body;
    if (action === 'create') {
      const waveField = (index: number) => (body.links === undefined ? 'wave_id' : `links[${index}].wave_id`);
      const { survey_status: status } = await services.surveys.get(scope);
      const created = await services.linkBatches.create(
        scope,
        linksOf(body, await services.surveys.timeZone(scope)),
        waveField,
      );
      const now = services.links.now();
      const links = created.map((link) =>
        presentLink(link, status, { scope, baseUrl: request.baseUrl, now }),
      );
      return { action, count: created.length, links };
    }
    refuseBeside(body, ['links', 'count', 'link_type', ...LINK_FIELDS], notAllowedWith(action));
    if (body.link_ids === undefined) throw invalid('link_ids', required(`with ${action}`));
    const count = await services.linkBatches.change(scope, action, body.link_ids);
    return withReply({ action, count }, { status: 200 });
  },
});

type Batch = z.output<typeof batchSchema>;

const LINK_FIELDS = Object.keys(linkFields) as (keyof typeof linkFields)[];

function linksOf(
  { action: _, survey_id: __, link_ids, links, count, ...fields }: Batch,
  zone: TimeZone,
): NewLink[] {
  refuseBeside({ link_ids }, ['link_ids'], notAllowedWith('create'));
  if (links !== undefined && count !== undefined) throw mutuallyExclusive('count', 'links');
  if (links !== undefined) {
    refuseBeside(fields, ['link_type', ...LINK_FIELDS], `${notAllowedWith('links')}; set it in each link`);
    return links.map((link) => newLink(link, zone));
  }
  if (count === undefined) throw invalid('count', required('unless links is given'));
  const link = newLink({ ...fields, link_type: fields.link_type ?? 'unique' }, zone);
  return Array.from({ length: count }, () => link);
}

function refuseBeside(body: Partial<Batch>, fields: readonly (keyof Batch)[], message: string): void {
  for (const field of fields) if (body[field] !== undefined) throw invalid(field, message);
}

const linkListRoute = defineRoute({
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
  reply: listReply(linkSchema),
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
    reply: listReply(linkSchema),
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
    reply: dataReply(linkSchema),
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
    reply: dataReply(linkSchema),
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
    reply: emptyReply,
    handler: ({ services, scope, params: { linkId } }) => services.links.delete(scope, linkId),
  }),
];
