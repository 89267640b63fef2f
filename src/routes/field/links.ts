import { z } from 'zod';
import { redirectProblem } from '../../domain/survey/settings/redirects.ts';
import { idText, pageOf, pagingQuery } from '../../http/paging.ts';
import { data, list } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../route.ts';
import { narrowedQuery } from '../in-workspace.ts';
import { linkSchema, linkType, presentLink } from '../link-reply.ts';

const params = z.strictObject({ surveyId: idText });
const redirect = z
  .string()
  .superRefine((template, context) => {
    const message = redirectProblem(template);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullable()
  .optional();
const redirectsSchema = z.strictObject({
  complete: redirect,
  screen_out: redirect,
  over_quota: redirect,
  quality: redirect,
  default: redirect,
});
const MAX_QUOTA = 100_000_000;

export const linkRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links',
    operationId: 'listSurveyLinks',
    summary: 'The links of a survey',
    access: onSurvey('view'),
    params,
    query: narrowedQuery.extend(pagingQuery),
    reply: list(linkSchema),
    async handler({ services, scope, query, request }) {
      const survey = await services.surveys.get(scope);
      const links = await services.links.list(scope);
      const now = services.links.now();
      return pageOf(
        links.map((link) => presentLink(link, survey.survey_status, request.baseUrl, now)),
        (link) => link.link_id,
        query,
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/links',
    operationId: 'createSurveyLink',
    summary: 'Make a link to a survey',
    description:
      'open: for many. unique: for one person. panel: for a panel whose members bring an external_id. ' +
      'It takes responses while the survey is Active.',
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    body: z.strictObject({
      link_type: linkType.default('open'),
      link_name: z.string().trim().min(1).max(200).optional().describe('Default: after its type'),
      link_quota: z.int().min(1).max(MAX_QUOTA).nullish(),
      expires_at: z.iso
        .datetime({ offset: true, error: 'must be a time with its offset, as 2030-01-31T12:00:00Z' })
        .transform((text) => new Date(text))
        .nullish()
        .meta({ override: { type: 'string', format: 'date-time' } }),
      redirects: redirectsSchema
        .nullish()
        .describe(
          'Where respondents go when they have ended; `default` serves ends without an address of their own, and without it the ' +
            "survey's redirect_url. {{external_id}} in an address becomes the respondent's",
        ),
    }),
    reply: data(linkSchema),
    status: 201,
    async handler({ services, scope, body, request }) {
      const { survey_status: status } = await services.surveys.get(scope);
      const link = await services.links.create(scope, {
        type: body.link_type,
        name: body.link_name ?? DEFAULT_NAMES[body.link_type],
        quota: body.link_quota ?? null,
        expiresAt: body.expires_at ?? null,
        redirects: body.redirects ?? {},
      });
      return presentLink(link, status, request.baseUrl, services.links.now());
    },
  }),
];

const DEFAULT_NAMES = { open: 'Open link', unique: 'Unique link', panel: 'Panel link' } as const;
